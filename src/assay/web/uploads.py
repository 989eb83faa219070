"""Uploaded runs: read and submitted in a process of its own, with limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import PurePosixPath

from starlette.datastructures import UploadFile

from assay.benchmark.store.database import VARIABLE
from assay.core.errors import DataError
from assay.core.scratch_files import scratch_folder
from assay.web.visit import Visit

SECONDS = 120
"""How long reading an upload may take."""


def submit_upload(visit: Visit, given: UploadFile, name: str | None) -> list[dict[str, str]]:
    """Submit an uploaded run in the person's name; return what is suspicious in it."""
    file = PurePosixPath((given.filename or "run").replace("\\", "/")).name[:100] or "run"
    file = "".join(each if each.isprintable() else "_" for each in file).lstrip(".-") or "run"
    content = given.file.read()
    with scratch_folder({file: content}) as folder:
        order = {
            "place": visit.settings.place,
            "person": visit.campaign.session.acting().name,
            "path": file,
            "name": name,
        }
        command = [sys.executable, "-m", "assay.web.submit_run"]
        environment = {
            name: os.environ[name]
            for name in ("PATH", "PYTHONPATH", "HOME", "LANG", "TMPDIR", "PGPASSFILE", VARIABLE)
            if name in os.environ
        }
        try:
            done = subprocess.run(
                command, input=json.dumps(order).encode(), capture_output=True, cwd=folder,
                timeout=SECONDS, check=False, env=environment,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise DataError(f"{file}: reading the run took over {SECONDS} seconds") from None
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        raise DataError(f"{file}: the run is too large or cannot be read") from None
    if "error" in answer:
        raise DataError(answer["error"])
    findings: list[dict[str, str]] = answer["findings"]
    return findings
