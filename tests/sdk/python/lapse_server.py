"""A lapsed that a test starts on a free port, with the test clock, and that always ends with the test.

The program is the one that the environment variable LAPSED names; without it, the one of build/release.
"""

import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("LAPSED", str(REPOSITORY / "build/release/lapsed"))
KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
START_MAX_S = 60
STOP_MAX_S = 60


def costly_batch(number):
    """A batch of creates that costs 400 RU/s more than two seconds: who comes next is throttled."""
    return [("create", ({"id": f"{number}-{i}", "pk": "p", "text": "x" * 10_000},)) for i in range(100)]


class Clock:
    """The test clock: store time stands still or jumps when a test says so."""

    def __init__(self, server):
        self._server = server

    def freeze(self):
        return self._change({"freeze": True})

    def advance(self, seconds):
        return self._change({"advance": seconds})

    def now(self):
        return self._server.get_json("/_lapse/clock")["now"]

    def _change(self, body):
        return self._server.get_json("/_lapse/clock", json.dumps(body).encode())["now"]


class Server:
    """One data directory and the process over it. A server that is started again keeps its port."""

    def __init__(self, *arguments, in_memory=True):
        self._arguments = list(arguments)
        self._in_memory = in_memory
        self.data_directory = tempfile.mkdtemp(prefix="lapse-python-")
        self.port = 0
        self.process = None
        self.clock = Clock(self)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.dispose()

    def start(self):
        store = ["--in-memory"] if self._in_memory else ["--data-dir", self.data_directory]
        command = [PROGRAM, *store, "--port", str(self.port), "--test-clock", *self._arguments]
        # Variables that begin so are options of the server.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LAPSE_")}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        ready = queue.SimpleQueue()
        threading.Thread(target=self._read_log, args=(self.process.stderr, ready), daemon=True).start()
        try:
            endpoint = ready.get(timeout=START_MAX_S)
        except queue.Empty:
            endpoint = None
        if endpoint is None:
            self.kill()
            raise RuntimeError(f"{PROGRAM} did not become ready")
        self.endpoint = endpoint
        self.port = int(re.search(r":(\d+)/$", endpoint)[1])
        return self

    @staticmethod
    def _read_log(lines, ready):
        with lines:
            for line in lines:
                found = re.search(r" ready endpoint=(\S+)", line)
                if found:
                    ready.put(found[1])
        ready.put(None)  # it ended

    def kill(self):
        """As a crash does it: without a word to the server."""
        self.process.kill()
        self.process.wait(STOP_MAX_S)

    def dispose(self):
        try:
            if self.process is not None and self.process.poll() is None:
                self.kill()
        finally:
            shutil.rmtree(self.data_directory, ignore_errors=True)

    def get_json(self, path, body=None):
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers)
        with urllib.request.urlopen(request, timeout=START_MAX_S) as answer:
            return json.load(answer)

    def metric(self, name, **labels):
        """The sum of a metric over all of its lines that have these labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_lapse/metrics", timeout=START_MAX_S) as answer:
            text = answer.read().decode()
        wanted = [f'{label}="{value}"' for label, value in labels.items()]
        lines = [line for line in text.splitlines() if re.match(rf"{name}[{{ ]", line)]
        return sum(float(line.split()[-1]) for line in lines if all(one in line for one in wanted))
