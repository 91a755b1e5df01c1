"""An SDK of 2019 still works: azure-cosmos 3.1, the package python3-azure-cosmos of Debian 12, in Debian's Python."""

import pathlib
import subprocess

from lapse_server import KEY, Server

PYTHON = "/usr/bin/python3"
HERE = pathlib.Path(__file__).parent


def run(*arguments):
    return subprocess.run([PYTHON, "-W", "ignore", *arguments], capture_output=True, text=True, timeout=200)


def test_it_creates_reads_lists_queries_and_deletes():
    installed = run("-c", "import azure.cosmos.cosmos_client")
    assert installed.returncode == 0, "install it: apt-get install python3-azure-cosmos\n" + installed.stderr
    for tls in ([], ["--tls", "auto"]):
        with Server(*tls) as server:
            for _ in range(2):
                done = run(str(HERE / "sdk_of_2019.py"), server.endpoint, KEY)
                assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
