"""Who may do and see what in which phase: the one table that the library and the web ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assay.core.errors import UsageError, unknown_name
from assay.core.phrases import list_phrase

PHASES = ("topics", "runs", "training", "judging", "adjudication", "frozen")
"""The phases of a campaign in their order. In training, practice topics are judged with feedback;
judging is blind; in adjudication, assessors see where they differ."""
ROLES = ("coordinator", "participant", "assessor")
KINDS = ("person", "crowd", "model", "clicks", "gold")
"""Kinds of assessors. Their judgments are mixed only where that is asked for."""

_ALL = frozenset(PHASES)
_OPEN = _ALL - {"frozen"}
_BEFORE_JUDGING = frozenset({"topics", "runs", "training"})
_WITH_RUNS = frozenset({"runs", "training", "judging"})
_FROM_TRAINING = frozenset({"training", "judging", "adjudication"})
_WHILE_JUDGING = frozenset({"training", "judging"})
_FROM_JUDGING = frozenset({"judging", "adjudication", "frozen"})
_NEVER: frozenset[str] = frozenset()

PERMISSIONS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "join": {"coordinator": _OPEN},
    "phase": {"coordinator": _ALL},
    "scale": {"coordinator": _OPEN},
    "guidelines": {"coordinator": _OPEN},
    "propose-topic": {"coordinator": _BEFORE_JUDGING, "participant": frozenset({"topics"})},
    "choose-topics": {"coordinator": _BEFORE_JUDGING},
    "submit": {"coordinator": _WITH_RUNS, "participant": frozenset({"runs"})},
    "pool": {"coordinator": _WITH_RUNS},
    "assign": {"coordinator": _WHILE_JUDGING},
    "next": {"assessor": _WHILE_JUDGING},
    "judge": {"assessor": _WHILE_JUDGING},
    "history": {"assessor": _ALL},
    "flag": {"assessor": _WHILE_JUDGING},
    "prefer": {"assessor": frozenset({"judging"})},
    "withdraw": {"assessor": _WHILE_JUDGING, "coordinator": _WHILE_JUDGING},
    "adjudicate": {"coordinator": frozenset({"adjudication"})},
    "exclude": {"coordinator": _FROM_TRAINING},
    "status": {"coordinator": _ALL, "participant": _ALL, "assessor": _ALL},
    "agreement": {"coordinator": _FROM_JUDGING, "assessor": _FROM_JUDGING - {"judging"}},
    "aggregate": {"coordinator": _FROM_JUDGING},
    "publish": {"coordinator": _FROM_JUDGING},
    "reproduce": {"coordinator": _FROM_JUDGING, "participant": _FROM_JUDGING},
    "export": {"coordinator": _ALL},
    "backup": {"coordinator": _ALL},
    "see-own-runs": {"participant": _ALL, "coordinator": _ALL},
    "see-runs": {"coordinator": _ALL},
    "see-pool": {"coordinator": _ALL},
    "see-judgments": {"coordinator": _ALL},
    "see-events": {"coordinator": _ALL},
    "see-disagreements": {"coordinator": _FROM_JUDGING, "assessor": _FROM_JUDGING - {"judging"}},
    "see-results": {"coordinator": _FROM_JUDGING},
    "see-published": {"coordinator": _ALL, "participant": _ALL, "assessor": _ALL},
}
"""Operation → role → the phases in which the role may do it. What is not listed is not allowed:
assessors never see runs, ranks or the pool; participants see only their own runs and what is
published."""
BOUND_TO_PHASES = frozenset({"next", "judge", "flag", "prefer", "withdraw"})
"""Operations that nobody does in another phase, not even who may do everything: judgments do not
change once they are compared."""


def allowed_phases(operation: str, roles: Iterable[str] = ROLES) -> list[str]:
    """Return the phases in which one of the roles may do an operation, in their order."""
    allowed = PERMISSIONS[operation]
    return [each for each in PHASES if any(each in allowed.get(role, _NEVER) for role in roles)]


def is_allowed(operation: str, roles: Iterable[str], phase: str) -> bool:
    """Return whether one of the roles may do an operation in a phase."""
    allowed = PERMISSIONS[operation]
    return any(phase in allowed.get(role, _NEVER) for role in roles)


def refuse(operation: str, person: str, roles: Iterable[str], phase: str) -> UsageError:
    """Return the error for an operation that is not allowed, with when and to whom it is."""
    allowed = PERMISSIONS[operation]
    who = "; ".join(
        f"{role} ({', '.join(each for each in PHASES if each in allowed[role])})"
        for role in ROLES
        if role in allowed
    )
    held = ", ".join(roles) or "nobody"
    return UsageError(
        f"{person} ({held}) may not do '{operation}' in the phase {phase}; allowed: {who}"
    )


def explain_refusal(operation: str, roles: Sequence[str], phase: str) -> str:
    """Return in one sentence whether the phase or the role is the reason of a refusal."""
    phases = allowed_phases(operation, roles)
    if phases:
        return f"Not possible in the phase {phase}, only in {' and '.join(phases)}."
    needed = " or ".join(role for role in ROLES if role in PERMISSIONS[operation])
    held = list_phrase(roles) or "none"
    return f"Not possible in your role: it needs the role {needed}, yours is {held}."


def check_words(what: str, words: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return words that must all be known, such as roles; refuse others."""
    found = tuple(words)
    for word in found:
        if word not in known:
            raise unknown_name(what, word, known)
    return found
