"""Syntax of measure names, and search by name, by alias, or by the name that other tools use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from itertools import pairwise, product
from typing import TypeAlias

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import BadParameter, UnknownMeasure, UsageError, nearest_names

_TABLE_ENTRY = re.compile(r"\s*-?[\d.]+\s*:\s*-?[\d.]+\s*")
"""A further entry of a table without braces, as in ``gains=0:0,1:0.5``."""
_NAME = re.compile(r"(?P<head>[^\s(@:]+?)(?P<rest>[\s(@:].*?)?(-l(?P<level>\d+))?", re.DOTALL)
"""A head, its settings, and the relevance level as ranx writes it: ``map@100-l2``."""
_SETTINGS = re.compile(
    r"\((?P<inside>[^()]*)\)|(?P<mark>[@:])(?P<piece>(?:\{[^}]*\}?|:(?![^\W\d_])|[^(@:{])*)"
)
"""Settings in parentheses, or one after a mark; a colon before a number belongs to a table."""
_TRAILING = re.compile(r"(?P<head>.+?)[._](?P<at>\d[\d.]*)")
_OPEN = re.compile(r"(?P<head>.+[._])(?P<digits>\d+)")
AVERAGES = ("macro", "micro", "weighted")
"""How values of classes become one."""
_AVERAGED = re.compile(r"(?P<head>.+)[_-](?P<average>macro|micro|weighted)")
_AVERAGE_FIRST = re.compile(r"^(macro|micro|weighted)[_-](.+)")
Found: TypeAlias = tuple[Definition, dict[str, str]]
"""A definition, and the settings that a name or an alias gives it."""
Index: TypeAlias = dict[str, list[Found]]


def split_names(text: str, separators: str = ", \t\n") -> list[str]:
    """Return the parts of a text between separators outside brackets.

    Entries of a table without braces stay together: ``nDCG(gains=0:0,1:0.5)``.
    """
    parts: list[str] = []
    depth, start = 0, 0
    for place, character in enumerate(text):
        depth += (character in "({") - (character in ")}")
        if depth == 0 and character in separators:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    whole: list[str] = []
    for part in (each.strip() for each in parts if each.strip()):
        if whole and "=" in whole[-1] and _TABLE_ENTRY.fullmatch(part):
            whole[-1] = f"{whole[-1]},{part}"
        else:
            whole.append(part)
    return whole


def _parse_settings(rest: str, text: str) -> dict[str, str]:
    """Return what follows the head: ``(a=1,b=2)``, ``@10`` and ``:a=1`` in any order."""
    given: dict[str, str] = {}
    place = 0
    while place < len(rest):
        found = _SETTINGS.match(rest, place)
        if found is None:
            message = f"'{rest[place:]}' is not understood; write NAME(key=value)@depth"
            raise BadParameter(f"{text}: {message}")
        place, inside, piece = found.end(), found["inside"], found["piece"]
        if found["mark"] == "@":
            piece = f"@={piece}"
        for each in [piece] if inside is None else split_names(inside, ","):
            key, equals, value = each.partition("=")
            if key == "@" and not value.strip():
                raise BadParameter(f"{text}: after @ a number is missing, such as {text}10")
            if not equals or not value.strip():
                raise BadParameter(f"{text}: '{each}' should read key=value")
            given[key.strip()] = value.strip()
    return given


def find_definition(text: str, task: str | None) -> Found:
    """Return the measure of a name, and its settings: as written, and as an alias sets them.

    Modules whose source has the name are searched first, then all measures, including those of
    other distributions, and last the names of scikit-learn's scorers, ``f1_macro`` and
    ``neg_log_loss``. A hyphen may stand for an underscore: ``cross-entropy``.
    """
    matched = _NAME.fullmatch(text)
    if not matched:
        raise UnknownMeasure("a measure's name is expected, such as nDCG@10")
    head, given = matched["head"], _parse_settings(matched["rest"] or "", text)
    if matched["level"]:
        given["rel"] = matched["level"]
    before, dot, after = head.partition(".")
    if dot and after and before in catalogue().tasks:
        task, head = before, after
    if selected := _find_by_setting(head, given, task):
        return selected
    spellings = [head, head.replace("-", "_")] if "-" in head else [head]
    searched = (
        _find_written(each, task)
        or _find_any(each, task, _full_index())
        or _find_scorer(each, task)
        for each in spellings
    )
    found = next(filter(None, searched), None)
    if found is None:
        raise UnknownMeasure(_unknown_name(head, task))
    return found[0], _presets(head, *found, given) | given


def hyphen_hint(texts: Iterable[str], task: str | None) -> str:
    """Return what to write where two parts of a text are one name: miss-rate for "miss rate"."""
    for first, second in pairwise(texts):
        with suppress(UsageError):
            find_definition(f"{first}-{second}", task)
            return f" A name of several words has hyphens: {first}-{second}."
    return ""


def _presets(
    head: str, found: Definition, preset: dict[str, str], given: Mapping[str, str]
) -> dict[str, str]:
    """Return the settings of an alias; its depth gives way to one after @, unless it is named.

    ``top_k_accuracy@5`` is of depth 5, although the name alone means 2; ``top1@5`` has two.
    """
    at = found.at.name if found.at else ""
    written = "@" in preset or ("@" in given and not head.endswith(preset.get(at, "@")))
    return {key: value for key, value in preset.items() if not (written and key == at)}


def _find_by_setting(head: str, given: dict[str, str], task: str | None) -> Found | None:
    """Return the measure that a setting selects, and the settings that are left.

    ``NumRet[rel]`` is an alias for NumRet with any ``rel``, which is kept; ``SetP[relative=true]``
    is one for SetP with that setting. An alias of the measure takes the setting too.
    """
    if not given:
        return None
    named = _find_written(head, task) if task else None
    heads = dict.fromkeys([head, *([named[0].name] if named else [])])
    for each, (name, value) in product(heads, given.items()):
        if found := _find_written(f"{each}[{name}]", task):
            return found[0], found[1] | given
        if found := _find_written(f"{each}[{name}={value}]", task):
            return found[0], found[1] | {key: given[key] for key in given if key != name}
    return None


def _find_written(head: str, task: str | None) -> Found | None:
    """Return a measure from the modules whose source has the name."""
    heads = [head]
    if matched := _OPEN.fullmatch(head):
        heads.append(f"{matched['head']}*")
    if trailing := _TRAILING.fullmatch(head):
        heads.append(trailing["head"])
    written = [f'"{each}{end}' for each in heads for end in '"(']
    return _find_any(head, task, _index(catalogue().search(task, *written).values()))


def _find_any(head: str, task: str | None, index: Index) -> Found | None:
    """Return the measure of a name or alias, or of one that ends in ``.10`` or ``_10``.

    An alias may have a star for digits, as ``rbp.*(p=0.*)``.
    """
    if found := _find(head, task, index):
        return found
    if (opened := _OPEN.fullmatch(head)) and (found := _find(f"{opened['head']}*", task, index)):
        return found[0], {k: text.replace("*", opened["digits"]) for k, text in found[1].items()}
    if (trailing := _TRAILING.fullmatch(head)) and (found := _find(trailing["head"], task, index)):
        return found[0], {"@": trailing["at"]} | found[1]
    return None


def _find(head: str, task: str | None, index: Index) -> Found | None:
    for fold in (str, str.casefold):
        owners = {
            definition.key: (definition, preset)
            for name, pairs in index.items()
            if fold(name) == fold(head)
            for definition, preset in pairs
            if task in (None, definition.task)
        }
        exact = [found for found in owners.values() if found[0].name == head]
        if len(owners) > 1 and len(exact) != 1:
            raise UnknownMeasure(
                f"'{head}' could be {' or '.join(sorted(owners))}: write one of them"
            )
        if owners:
            return exact[0] if len(owners) > 1 else next(iter(owners.values()))
    return None


def _find_scorer(head: str, task: str | None) -> Found | None:
    """Return the measure of classes or labels in ``f1_macro``, or the loss in ``neg_log_loss``.

    Of labels ``roc_auc`` is label_AUC.
    """
    if averaged := _AVERAGED.fullmatch(_AVERAGE_FIRST.sub(r"\2_\1", head)):
        of_labels = "label_" if task == "labelsets" else ""
        found = _find_written(of_labels + averaged["head"], task or "classification")
        if found and found[0].unit in ("class", "label"):
            return found[0], found[1] | {"average": averaged["average"]}
    if task == "labelsets" and (of_classes := _find_written(head, "classification")):
        return _find_written(f"label_{of_classes[0].name}", task)
    if head.startswith("neg_"):
        found = _find_written(head.removeprefix("neg_"), task)
        return found if found and found[0].better == "lower" else None
    return None


@cache
def _full_index() -> Index:
    """Return every name and alias, including those of other distributions."""
    return _index(catalogue().values())


def _index(definitions: Iterable[Definition]) -> Index:
    """Return names and aliases, with the settings that an alias gives."""
    index: Index = {}
    for definition in definitions:
        index.setdefault(definition.name, []).append((definition, {}))
        for alias in definition.aliases:
            head, opening, rest = alias.partition("(")
            preset = _parse_settings(opening + rest, alias)
            index.setdefault(head, []).append((definition, preset))
    return index


def _unknown_name(head: str, task: str | None) -> str:
    """Return the message for a name that no measure has, with the closest known one."""
    known = {
        name: definition
        for name, pairs in _full_index().items()
        for definition, _ in reversed(pairs)
        if "[" not in name and task in (None, definition.task)
    }
    elsewhere = sorted({d.task for d, _ in _full_index().get(head, [])})
    meant = _name_with_depth(head, known)
    if not meant:
        near = nearest_names(head, [name.replace("*", "10") for name in known])
        meant = _names_with_word(head, known) or [
            _complete_name(name, known[name]) if name in known else name for name in near
        ]
    hint = " 'assay measures' lists them all."
    if elsewhere:
        hint = f" It is a measure of {', '.join(elsewhere)}."
        longer = sorted({d.name for name, d in known.items() if head in name}) if head[2:] else []
        hint += f" Of {task} there is {', '.join(longer[:3])}." if longer else ""
    elif head in AVERAGES:
        hint = f" An average is part of a name: F(average={head}), or f1_{head}."
    elif meant:
        hint = f" Did you mean {' or '.join(meant)}?"
    return f"there is no measure{f' of {task}' if task else ''} called '{head}'.{hint}"


def _names_with_word(head: str, known: Mapping[str, Definition]) -> list[str]:
    """Return measures with an alias that has the word: ECE for calibration."""
    having = (each for name, each in known.items() if head.casefold() in name.split("_"))
    return list(dict.fromkeys(_complete_name(each.name, each) for each in having))[:3]


def _complete_name(name: str, definition: Definition) -> str:
    """Return a name, or the example of a measure that requires more than a name."""
    return definition.example if any(each.required for each in definition.parameters) else name


def _name_with_depth(head: str, known: Mapping[str, Definition]) -> list[str]:
    """Return how to write a name that ends in its depth: nDCG10."""
    found = re.fullmatch(r"(.+?)[_-]?(\d+)", head)
    name = next((each for each in known if found and each.casefold() == found[1].casefold()), None)
    if found is None or name is None:
        return []
    at, complete = known[name].at, _complete_name(name, known[name])
    simple = at is not None and at.kind.accepts(found[2]) and "(" not in complete
    return [f"{name}@{found[2]}" if simple else complete]
