"""Time to live to the second, with the test clock: one second before, at, and after."""

import pytest
from azure.cosmos import PartitionKey
from azure.cosmos.exceptions import CosmosResourceNotFoundError


@pytest.fixture(autouse=True)
def frozen(server):
    server.clock.freeze()


def lives(container, name, key="p"):
    """By every way to look; all must say the same."""
    try:
        container.read_item(name, key)
        read = True
    except CosmosResourceNotFoundError:
        read = False
    of_name = {"parameters": [{"name": "@id", "value": name}]}
    found = list(container.query_items("SELECT * FROM c WHERE c.id = @id", partition_key=key, **of_name))
    counted = list(container.query_items(
        "SELECT VALUE COUNT(1) FROM c WHERE c.id = @id", enable_cross_partition_query=True, **of_name))
    listed = [one for one in container.read_all_items() if one["id"] == name]
    many = container.read_items([(name, key), ("another", "key")])
    changes = [one for one in container.query_items_change_feed(start_time="Beginning") if one["id"] == name]
    assert [len(found), counted[0], len(listed), len(many), len(changes)] == [int(read)] * 5
    return read


@pytest.mark.parametrize("partitions", [1, 3])
@pytest.mark.parametrize("default, own, lifetime", [(60, None, 60), (60, 5, 5), (-1, 7, 7), (5, 60, 60)])
def test_before_at_and_after(server, new_container, partitions, default, own, lifetime):
    container = new_container(partitions=partitions, default_ttl=default)
    container.create_item({"id": "x", "pk": "p", **({} if own is None else {"ttl": own})})
    server.clock.advance(lifetime - 1)
    assert lives(container, "x")
    server.clock.advance(1)
    assert not lives(container, "x")
    server.clock.advance(1)
    assert not lives(container, "x")


@pytest.mark.parametrize("default, own", [(60, -1), (-1, None), (-1, -1), (None, 5)])
def test_for_ever(server, new_container, default, own):
    container = new_container(default_ttl=default)
    container.create_item({"id": "x", "pk": "p", **({} if own is None else {"ttl": own})})
    server.clock.advance("3650d")
    assert lives(container, "x")


def test_a_write_begins_the_count_again_and_a_read_does_not(server, new_container):
    container = new_container(default_ttl=10)
    item = {"id": "x", "pk": "p"}
    writes = [
        lambda: container.upsert_item(item),
        lambda: container.replace_item("x", item),
        lambda: container.patch_item("x", "p", [{"op": "set", "path": "/n", "value": 1}]),
        lambda: container.execute_item_batch([("upsert", (item,))], "p"),
    ]
    container.create_item(item)
    for write in writes:
        server.clock.advance(9)
        write()
    server.clock.advance(9)
    assert lives(container, "x")
    server.clock.advance(1)
    assert not lives(container, "x")
    container.create_item(item)
    assert lives(container, "x")


def test_what_has_expired_stays_so_whatever_the_default_becomes(server, database, new_container):
    container = new_container(default_ttl=10)
    container.create_item({"id": "x", "pk": "p"})
    server.clock.advance(10)
    for default in (1000, -1, None):
        database.replace_container(container, PartitionKey("/pk"), default_ttl=default)
        assert not lives(container, "x")
