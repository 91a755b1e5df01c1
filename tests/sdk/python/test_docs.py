"""The programs of docs/sdks/python.md, as they stand there."""

import os
import re
import subprocess
import sys

from lapse_server import PROGRAM, REPOSITORY, Server

PAGE = (REPOSITORY / "docs/sdks/python.md").read_text("utf8")
ENDPOINT = "http://127.0.0.1:8081/"


def program(name):
    """The block of code after the words `name`: at the end of a paragraph."""
    found = re.search(rf"`{re.escape(name)}`[^`]*:\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


def run(directory, *arguments):
    environment = {**os.environ, "LAPSED": os.path.abspath(PROGRAM)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, timeout=200)


def test_the_first_program_runs_twice(tmp_path):
    for tls in ([], ["--tls", "auto"]):
        with Server(*tls) as server:
            assert ENDPOINT in program("first.py")
            (tmp_path / "first.py").write_text(program("first.py").replace(ENDPOINT, server.endpoint))
            for _ in range(2):
                done = run(tmp_path, "-W", "ignore", "first.py")
                assert (done.returncode, done.stdout) == (0, "s1\n['s1', 's2']\n['s1', 's2']\n"), done.stderr


def test_the_fixture_and_its_test(tmp_path):
    for name in ("conftest.py", "test_sessions.py"):
        (tmp_path / name).write_text(program(name))
    done = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
