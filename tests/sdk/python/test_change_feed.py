"""The change feed by pull: latest versions, and all versions and deletes."""

import datetime

import pytest
from azure.cosmos import CosmosClient

from lapse_server import KEY


def pages(container, **options):
    """The changes, and where the feed goes on: the SDK has it there without changes too."""
    changes = list(container.query_items_change_feed(**options))
    return changes, container.client_connection.last_response_headers["etag"]


def test_from_the_beginning_and_on_with_another_client(server, either_container):
    for n in range(20):
        either_container.create_item({"id": f"i{n}", "pk": f"p{n % 7}", "n": n})
    changes, continuation = pages(either_container, start_time="Beginning", max_item_count=3)
    assert sorted(one["n"] for one in changes) == list(range(20))
    either_container.upsert_item({"id": "i3", "pk": "p3", "n": 103})
    either_container.delete_item("i4", "p4")
    with CosmosClient(server.endpoint, KEY) as client:
        container = client.get_database_client("db").get_container_client(either_container.id)
        changes, continuation = pages(container, continuation=continuation)
        assert [one["n"] for one in changes] == [103]
        changes, _ = pages(container, continuation=continuation)
        assert changes == []


def test_from_now(either_container):
    either_container.create_item({"id": "before", "pk": "p"})
    changes, continuation = pages(either_container, start_time="Now")
    assert changes == []
    either_container.create_item({"id": "after", "pk": "p"})
    changes, _ = pages(either_container, continuation=continuation)
    assert [one["id"] for one in changes] == ["after"]


def test_from_a_time(server, either_container):
    server.clock.freeze()
    either_container.create_item({"id": "before", "pk": "p"})
    start = server.clock.advance(10)
    either_container.create_item({"id": "after", "pk": "p"})
    time = datetime.datetime.fromtimestamp(start, datetime.timezone.utc)
    changes, _ = pages(either_container, start_time=time)
    assert [one["id"] for one in changes] == ["after"]


def test_one_key_and_one_range(either_container):
    for n in range(20):
        either_container.create_item({"id": f"i{n}", "pk": f"p{n % 5}", "n": n})
    changes, _ = pages(either_container, start_time="Beginning", partition_key="p3")
    assert [one["n"] for one in changes] == [3, 8, 13, 18]
    seen = []
    for feed_range in either_container.read_feed_ranges():
        changes, _ = pages(either_container, start_time="Beginning", feed_range=feed_range)
        seen += [one["n"] for one in changes]
    assert sorted(seen) == list(range(20))


def test_a_prefix_of_a_hierarchical_key(new_container):
    container = new_container(["/tenant", "/user"], partitions=3)
    for n in range(12):
        container.create_item({"id": f"i{n}", "tenant": f"t{n % 3}", "user": n, "n": n})
    changes, _ = pages(container, start_time="Beginning", partition_key=["t1"])
    assert sorted(one["n"] for one in changes) == [1, 4, 7, 10]


def test_an_expired_item_is_no_change(server, new_container):
    server.clock.freeze()
    container = new_container(default_ttl=10)
    container.create_item({"id": "dies", "pk": "p"})
    container.create_item({"id": "stays", "pk": "p", "ttl": -1})
    server.clock.advance(10)
    changes, _ = pages(container, start_time="Beginning")
    assert [one["id"] for one in changes] == ["stays"]


@pytest.mark.parametrize("partitions", [1, 3])
def test_all_versions_and_deletes(server, new_container, partitions):
    server.clock.freeze()
    container = new_container(partitions=partitions, default_ttl=-1, change_feed_policy={"retentionDuration": 10})
    mode = {"mode": "AllVersionsAndDeletes"}
    _, continuation = pages(container, **mode)
    container.create_item({"id": "x", "pk": "p", "n": 1})
    container.replace_item("x", {"id": "x", "pk": "p", "n": 2})
    container.delete_item("x", "p")
    container.create_item({"id": "dies", "pk": "p", "ttl": 5})
    server.clock.advance(5)
    container.create_item({"id": "dies", "pk": "p"})
    changes, _ = pages(container, continuation=continuation, **mode)
    kinds = [(one["metadata"]["operationType"], one["metadata"].get("timeToLiveExpired", False)) for one in changes]
    deletes = [("delete", False), ("create", False), ("delete", True), ("create", False)]
    assert kinds == [("create", False), ("replace", False), *deletes]
    assert changes[1]["current"]["n"] == 2
    assert changes[2]["metadata"]["id"] == "x"
