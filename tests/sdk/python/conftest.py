"""What all tests share: a server for each file, a client of it, containers with names of their own."""

import itertools
import signal

import pytest
from azure.cosmos import CosmosClient, PartitionKey

from lapse_server import KEY, Server

TEST_MAX_S = 300
THREE_PARTITIONS = 18000

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def bounded():
    """A test that hangs fails."""

    def too_late(*_):
        raise TimeoutError(f"the test took more than {TEST_MAX_S} s")

    before = signal.signal(signal.SIGALRM, too_late)
    signal.alarm(TEST_MAX_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def server():
    with Server() as started:
        yield started


@pytest.fixture(scope="module")
def client(server):
    with CosmosClient(server.endpoint, KEY) as made:
        yield made


@pytest.fixture(scope="module")
def database(client):
    return client.create_database_if_not_exists("db")


@pytest.fixture
def new_container(database):
    """Makes containers: with the key /pk, in one partition, unless the test says otherwise."""

    def make(paths="/pk", partitions=1, **options):
        if partitions == 3:
            options["offer_throughput"] = THREE_PARTITIONS
        kind = "Hash" if isinstance(paths, str) else "MultiHash"
        key = PartitionKey(path=paths, kind=kind)
        return database.create_container(f"c{next(_numbers)}", key, **options)

    return make


@pytest.fixture
def container(new_container):
    return new_container()


@pytest.fixture(params=[1, 3], ids=["one partition", "three partitions"])
def either_container(request, new_container):
    return new_container(partitions=request.param)
