"""Runs that a command wrote before, by the digest of everything that decides about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.core.output_files import write_bytes
from assay.core.output_folders import make_folder
from assay.selection.tuning.trials import digest_of


@dataclass(frozen=True)
class RunCache:
    """A folder of runs, which many searches may share.

    The name of a run is the digest of the arguments, in which the name and content of a file stand
    for its path, and of the inputs and the executable: after a change of any of these, no earlier
    run is used. Judgments and splits are not in it, since a run does not depend on them. A command
    that failed leaves nothing.
    """

    folder: Path
    files: tuple[Path, ...]
    """The inputs and the executable."""

    def run(self, arguments: Sequence[str], make: Callable[[], Path]) -> Path:
        """Return the run of these arguments, which ``make`` writes where it is not known."""
        contents = {str(path): digest_of("", [path]) for path in self.files}  # wherever they are
        words = [contents.get(word, word) for word in arguments]
        digest = digest_of([words, *contents.values()], ()).removeprefix("sha256:")
        place = self.folder / f"{digest}.run"
        if not place.exists():
            content = make().read_bytes()
            make_folder(self.folder)
            write_bytes(place, content)
        return place
