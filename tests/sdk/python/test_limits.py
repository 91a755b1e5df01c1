"""Throttling, resource tokens, and a server that dies in the middle."""

import pytest
from azure.cosmos import CosmosClient, PartitionKey
from azure.cosmos.exceptions import CosmosHttpResponseError

from lapse_server import KEY, Server, costly_batch

# A machine that stands still for seconds between two requests can miss one round of throttling, not all of these.
ROUNDS_MAX = 20


def test_the_sdk_tries_again_until_all_is_written():
    with Server("--rate-limiting", "explicit") as server, CosmosClient(server.endpoint, KEY) as client:
        database = client.create_database("db")
        container = database.create_container("c", PartitionKey("/pk"), offer_throughput=400)
        throttled = 0
        for n in range(ROUNDS_MAX):
            container.execute_item_batch(costly_batch(n), "p")
            container.create_item({"id": f"i{n}", "pk": "p"})
            throttled = server.metric("lapse_throttled_requests_total", container="c")
            if throttled > 0:
                break
        assert throttled > 0
        count = list(container.query_items("SELECT VALUE COUNT(1) FROM c", partition_key="p"))
        assert count == [(n + 1) * 101]


def test_a_client_that_does_not_try_again_is_told_how_long_to_wait():
    with Server("--rate-limiting", "explicit") as server:
        # The SDK takes 0 for "not set": the least is one retry after one millisecond.
        with CosmosClient(server.endpoint, KEY, retry_throttle_total=1, retry_fixed_interval=1) as client:
            database = client.create_database("db")
            container = database.create_container("c", PartitionKey("/pk"), offer_throughput=400)
            with pytest.raises(CosmosHttpResponseError) as refused:
                for n in range(ROUNDS_MAX):
                    container.execute_item_batch(costly_batch(n), "p")
            assert refused.value.status_code == 429
            assert refused.value.sub_status == 3200
            assert float(refused.value.headers["x-ms-retry-after-ms"]) > 0


@pytest.fixture
def user(database):
    yield database.create_user({"id": "somebody"})
    database.delete_user("somebody")


def with_token(server, token, container):
    client = CosmosClient(server.endpoint, {f"dbs/db/colls/{container.id}": token})
    return client.get_database_client("db").get_container_client(container.id)


def test_a_token_that_may_read(server, container, user):
    container.create_item({"id": "x", "pk": "p"})
    link = container.read()["_self"]
    permission = user.create_permission({"id": "read", "permissionMode": "Read", "resource": link})
    reader = with_token(server, permission.properties["_token"], container)
    assert reader.read_item("x", "p")["id"] == "x"
    assert [one["id"] for one in reader.query_items("SELECT * FROM c", partition_key="p")] == ["x"]
    with pytest.raises(CosmosHttpResponseError) as refused:
        reader.create_item({"id": "y", "pk": "p"})
    assert refused.value.status_code == 403


def test_a_token_for_one_key(server, container, user):
    for key in ("p", "q"):
        container.create_item({"id": "x", "pk": key})
    permission = user.create_permission({
        "id": "all", "permissionMode": "All", "resource": container.read()["_self"], "resourcePartitionKey": ["p"]})
    writer = with_token(server, permission.properties["_token"], container)
    assert writer.upsert_item({"id": "x", "pk": "p", "n": 1})["n"] == 1
    for refuse in (lambda: writer.read_item("x", "q"), lambda: writer.upsert_item({"id": "x", "pk": "q"})):
        with pytest.raises(CosmosHttpResponseError) as refused:
            refuse()
        assert refused.value.status_code == 403


def test_a_token_ends_with_its_permission(server, container, user):
    container.create_item({"id": "x", "pk": "p"})
    permission = {"id": "read", "permissionMode": "Read", "resource": container.read()["_self"]}
    reader = with_token(server, user.create_permission(permission).properties["_token"], container)
    assert reader.read_item("x", "p")["id"] == "x"
    assert [one["id"] for one in user.list_permissions()] == ["read"]
    user.delete_permission("read")
    with pytest.raises(CosmosHttpResponseError) as refused:
        reader.read_item("x", "p")
    assert refused.value.status_code in (401, 403)


def test_a_client_outlives_the_server():
    """Killed with -9 and started again on its port: the same client goes on, and what was answered is there."""
    with Server(in_memory=False) as server, CosmosClient(server.endpoint, KEY) as client:
        database = client.create_database("db")
        container = database.create_container("c", PartitionKey("/pk"), default_ttl=100)
        server.clock.freeze()
        for n in range(20):
            container.create_item({"id": f"i{n}", "pk": "p", "n": n})
        text = "SELECT VALUE c.n FROM c ORDER BY c.n"
        first = container.query_items(text, partition_key="p", max_item_count=8).by_page()
        seen = list(next(first))
        server.kill()
        with pytest.raises(Exception):
            container.read_item("i1", "p", retry_total=0, retry_connect=0)
        server.start()
        assert container.read_item("i1", "p")["n"] == 1
        rest = container.query_items(text, partition_key="p", max_item_count=8).by_page(first.continuation_token)
        seen += [n for page in rest for n in page]
        assert seen == list(range(20))
        server.clock.freeze()
        server.clock.advance(100)
        assert list(container.read_all_items()) == []
