"""The operations of a campaign that the web app adds: work of one's own, accounts, preferences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from assay.benchmark.campaign import accounts, own_work, pairs, pooling, submissions, tables
from assay.benchmark.campaign.judging import JudgingTask
from assay.benchmark.campaign.own_work import Action, Saved
from assay.benchmark.campaign.pairs import PairTask
from assay.benchmark.campaign.session import Session


class WebOperations:
    """Operations that need a person; ``Campaign`` has them all."""

    session: Session

    def describe(self) -> dict[str, Any]:
        """Return the name, phase, scale, measures and guidelines."""
        return own_work.describe(self.session)

    def save(self, actions: Sequence[Action], after: int = -1, count: int = 1) -> Saved:
        """Store what the person did and return the next items in one step."""
        return own_work.save(self.session, actions, after, count)

    def flag(self, query: str, doc: str, reason: str) -> None:
        """Flag a document that the person judges."""
        own_work.flag(self.session, query, doc, reason)

    def history(self, before: int | None = None, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the person's own judgments, the newest first."""
        return own_work.history(self.session, before, limit)

    def item(self, query: str, doc: str) -> tuple[JudgingTask, dict[str, Any] | None]:
        """Return an item of the person, and the person's judgment of it."""
        return own_work.item(self.session, query, doc)

    def document(
        self, query: str, doc: str, start: int = 0, size: int = 1_000_000
    ) -> Mapping[str, Any]:
        """Return the title, url and a piece of the text of a document."""
        return own_work.document(self.session, query, doc, start, size)

    def progress(self) -> dict[str, Any]:
        """Return the person's own progress."""
        return own_work.progress(self.session)

    def settings(self) -> dict[str, Any]:
        """Return what the person has set: keys, and words to highlight."""
        return own_work.settings(self.session)

    def change_settings(self, **changes: Any) -> None:
        """Change what the person has set."""
        own_work.change_settings(self.session, changes)

    def events(self) -> list[dict[str, Any]]:
        """Return who did what, the newest first."""
        return own_work.events(self.session)

    def make_pairs(self, per_topic: int, seed: int = 1) -> int:
        """Choose pairs of pooled documents for preferences; return how many are new."""
        return pairs.make_pairs(self.session, per_topic, seed)

    def next_pair(self) -> PairTask | None:
        """Return the next pair of documents to compare."""
        return pairs.next_pair(self.session)

    def prefer(self, pair: int, choice: str, **details: Any) -> None:
        """State which document of a pair is better: left, right or tie."""
        pairs.prefer(self.session, pair, choice, **details)

    def preferences(self) -> pl.DataFrame:
        """Return the stated preferences."""
        return pairs.preferences(self.session)

    def table(self, name: str) -> pl.DataFrame:
        """Return a table that the person may see, by name (``tables`` lists them)."""
        return tables.table(self.session, name)

    def tables(self) -> list[str]:
        """Return the names of the tables that the person may see now."""
        return tables.names(self.session)

    def open_questions(self) -> list[str]:
        """Return what is still open before a version is made: disagreements, unjudged topics."""
        return tables.open_questions(self.session)

    def accepts_runs(self) -> bool:
        """Return whether a run of the person would be accepted now."""
        return submissions.accepts_runs(self.session)

    def pool_depth(self) -> int | None:
        """Return the depth of the latest pool."""
        return pooling.last_depth(self.session)

    def judges_blind(self) -> bool:
        """Return whether the person has open items, and must not see ranks and known grades."""
        return pooling.judges_blind(self.session)

    def versions(self) -> list[Mapping[str, Any]]:
        """Return the versions that the person may see."""
        return tables.versions(self.session)

    def invite(self, *roles: str, **details: Any) -> str:
        """Return the token of an invitation with roles: single use, for seven days."""
        return accounts.invite(self.session, roles, **details)

    def invitations(self) -> list[dict[str, Any]]:
        """Return the invitations that can still be used."""
        return accounts.invitations(self.session)

    def withdraw_invitation(self, number: int) -> None:
        """Let an invitation be used no more."""
        accounts.withdraw_invitation(self.session, number)

    def add_token(self, name: str, *scopes: str) -> str:
        """Return a new API token: scopes ``read``, ``judge`` or ``all``."""
        return accounts.add_token(self.session, name, scopes)

    def tokens(self) -> list[dict[str, Any]]:
        """Return the person's API tokens, without the tokens themselves."""
        return accounts.tokens(self.session)

    def revoke_token(self, number: int) -> None:
        """Revoke an API token of the person."""
        accounts.revoke_token(self.session, number)

    def change_password(self, password: str) -> None:
        """Set the person's password and end all sessions of the person."""
        accounts.change_password(self.session, password)

    def people(self) -> list[dict[str, Any]]:
        """Return the people of the campaign with their roles, teams and capacities."""
        return tables.people(self.session)
