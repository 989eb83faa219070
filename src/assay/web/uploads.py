"""Uploaded runs and topics: read and stored in a process of its own, with limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import PurePosixPath
from typing import Any

from starlette.datastructures import UploadFile

from assay.benchmark.store.database import VARIABLE
from assay.core.errors import DataError
from assay.core.scratch_files import scratch_folder
from assay.web.visit import Visit

SECONDS = 120
"""How long reading an upload may take."""


def store_upload(
    visit: Visit, operation: str, given: UploadFile, name: str | None = None
) -> dict[str, Any]:
    """Store an uploaded file in the person's name; return what there is to say about it."""
    file = PurePosixPath((given.filename or "run").replace("\\", "/")).name[:100] or "run"
    file = "".join(each if each.isprintable() else "_" for each in file).lstrip(".-") or "run"
    content = given.file.read()
    with scratch_folder({file: content}) as folder:
        order = {
            "operation": operation,
            "place": visit.settings.place,
            "person": visit.campaign.session.acting().name,
            "path": file,
            "name": name,
        }
        command = [sys.executable, "-m", "assay.web.upload_process"]
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
            raise DataError(f"{file}: reading the file took over {SECONDS} seconds") from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise DataError(f"{file}: the file is too large or cannot be read") from None
    if "error" in answer:
        raise DataError(answer["error"])
    return answer
