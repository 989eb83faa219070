"""Real processes: executors of a cluster, a Spark Connect server, and drivers that are lost."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
START = """
import os, sys
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
sys.path.insert(0, {root!r})
from tests.spark.conftest import LOOPBACK
from tests.spark.test_retrieval_on_spark import judged_runs, on_this_machine, same_scores
import assay
"""
SESSION = """
from pyspark.sql import SparkSession
builder = SparkSession.builder.master({master!r})
for key, value in LOOPBACK.items():
    builder = builder.config(key, value)
spark = builder.config("spark.executor.memory", "512m").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
"""


def run_program(text: str, **values: Any) -> str:
    program = textwrap.dedent(START + text).format(root=str(ROOT), **values)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc: not a Linux")
def test_an_executor_that_is_killed(tmp_path: Path) -> None:
    said = run_program(
        SESSION
        + """
judged, runs = judged_runs(200, 100, runs=2)
frame = spark.createDataFrame(runs.to_arrow())
def deadly(batches):  # the first task that has given a batch kills the executor that it runs on
    import os, signal
    from pathlib import Path
    for batch in batches:
        yield batch
        executor = Path(f"/proc/{{os.getppid()}}/stat").read_text().rpartition(")")[2].split()[1]
        try:
            killed = Path({killed!r}).open("x")
        except FileExistsError:
            continue
        with killed:
            killed.write(Path(f"/proc/{{executor}}/cmdline").read_text())
        os.kill(int(executor), signal.SIGKILL)
names = ["nDCG@10", "AP", "RR", "bpref"]
rows = frame.repartition(8).mapInArrow(deadly, frame.schema)
found = assay.retrieval(judged, rows, names, spark=assay.SparkSettings(partitions=8))
same_scores(found, on_this_machine(judged, runs, names))
print("the same bits")
spark.stop()
""",
        master="local-cluster[2,1,768]",
        killed=str(tmp_path / "killed"),
    )
    assert "CoarseGrainedExecutorBackend" in (tmp_path / "killed").read_text()
    assert "the same bits" in said


def test_a_session_that_was_stopped(tmp_path: Path) -> None:
    said = run_program(
        SESSION
        + """
judged, runs = judged_runs(20, 10)
frame = spark.createDataFrame(runs.to_arrow())
decisions = spark.createDataFrame([("a", "a"), ("b", "a")], ["truth", "predicted"])
spark.stop()
for ask in (lambda: assay.retrieval(judged, frame, "AP"), lambda: assay.classification(decisions)):
    try:
        ask()
    except assay.AssayError as failure:
        print("said:", failure)
""",
        master="local[1]",
    )
    assert said.count("the session of Spark was stopped; start a new one, and read the tables") == 2


def test_a_driver_that_is_lost(tmp_path: Path) -> None:
    said = run_program(
        SESSION
        + """
import signal, threading, time
from pathlib import Path
judged, runs = judged_runs(20, 10)
frame = spark.createDataFrame(runs.to_arrow())
frame.count()
java = spark.sparkContext._gateway.proc.pid
def slow(batches):
    import time
    from pathlib import Path
    Path({begun!r}).touch()
    for batch in batches:
        time.sleep(20)
        yield batch
def kill_driver():
    while not Path({begun!r}).exists():
        time.sleep(0.1)
    os.kill(java, signal.SIGKILL)
threading.Thread(target=kill_driver, daemon=True).start()
try:
    assay.retrieval(judged, frame.mapInArrow(slow, frame.schema), "AP")
except assay.AssayError as failure:
    print("said:", failure)
sys.stdout.flush()
os._exit(0)
""",
        master="local[1]",
        begun=str(tmp_path / "begun"),
    )
    assert "said: the runs: the driver of Spark" in said
    assert "start a new session" in said


@pytest.fixture
def connect_server(tmp_path: Path) -> Any:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    import pyspark

    home = Path(pyspark.__file__).parent
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
    }
    command = [
        str(home / "bin" / "spark-submit"),
        *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer"),
        *("--master", "local[2]"),
        *("--conf", f"spark.connect.grpc.binding.port={port}"),
        *("--conf", "spark.connect.grpc.binding.address=127.0.0.1"),
        *("--conf", "spark.driver.host=127.0.0.1"),
        *("--conf", "spark.driver.bindAddress=127.0.0.1"),
        *("--conf", "spark.ui.enabled=false"),
        *("--conf", "spark.driver.memory=1g"),
        "spark-internal",
    ]
    with (tmp_path / "server.log").open("wb") as log:
        server = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, cwd=tmp_path, start_new_session=True
        )
    for _ in range(240):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        if server.poll() is not None:
            break
        time.sleep(0.5)
    else:
        server.kill()
    if server.poll() is not None:
        pytest.fail((tmp_path / "server.log").read_text()[-3000:])
    yield port, server.pid
    if server.poll() is None:
        os.killpg(server.pid, 9)
    server.wait()


def test_spark_connect(connect_server: Any) -> None:
    port, server = connect_server
    said = run_program(
        """
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote("sc://127.0.0.1:{port}").getOrCreate()
judged, runs = judged_runs(50, 40, runs=2)
names = ["nDCG@10", "AP", "RR", "bpref"]
frame = spark.createDataFrame(runs.to_pandas())
found = assay.retrieval(spark.createDataFrame(judged.to_pandas()), frame, names)
same_scores(found, on_this_machine(judged, runs, names))
plain = assay.retrieval(judged, frame, names, spark=assay.SparkSettings(path="plain"))
same_scores(plain, on_this_machine(judged, runs, names))
print("the same bits", type(frame).__module__)
from pyspark.sql.connect.client.retries import DefaultPolicy
spark.client.set_retry_policies([DefaultPolicy(max_retries=2, max_backoff=200)])
os.killpg({server}, 9)
try:
    assay.retrieval(judged, frame, names)
except assay.AssayError as failure:
    print("said:", failure)
sys.stdout.flush()
os._exit(0)
""",
        port=port,
        server=server,
    )
    assert "the same bits pyspark.sql.connect" in said
    assert "said: the runs: the Spark Connect server cannot be reached or was lost" in said
