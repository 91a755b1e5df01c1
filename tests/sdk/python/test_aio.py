"""The asynchronous client, which has transport, queries, feeds and retries of its own."""

import asyncio

import pytest
from azure.cosmos import PartitionKey
from azure.cosmos.aio import CosmosClient
from azure.cosmos.exceptions import (
    CosmosAccessConditionFailedError,
    CosmosBatchOperationError,
    CosmosHttpResponseError,
    CosmosResourceNotFoundError,
)
from azure.core import MatchConditions

from conftest import THREE_PARTITIONS
from lapse_server import KEY, Server, costly_batch


async def collected(results):
    return [one async for one in results]


def on_three_partitions(run):
    """Runs the function on a container of three partitions with 30 items."""

    async def main():
        with Server() as server:
            async with CosmosClient(server.endpoint, KEY) as client:
                database = await client.create_database("db")
                container = await database.create_container(
                    "c", PartitionKey("/pk"), default_ttl=-1, offer_throughput=THREE_PARTITIONS)
                server.clock.freeze()
                await asyncio.gather(*(
                    container.create_item({"id": f"i{n}", "pk": f"p{n % 10}", "n": n}) for n in range(30)))
                await run(server, container)

    asyncio.run(main())


def test_items():
    async def run(_, container):
        item = await container.read_item("i3", "p3")
        assert item["n"] == 3
        assert (await container.read_item(item, "p3"))["n"] == 3
        replaced = await container.replace_item("i3", {"id": "i3", "pk": "p3", "n": 33})
        with pytest.raises(CosmosAccessConditionFailedError):
            await container.upsert_item(
                {"id": "i3", "pk": "p3"}, etag=item["_etag"], match_condition=MatchConditions.IfNotModified)
        patched = await container.patch_item("i3", "p3", [{"op": "incr", "path": "/n", "value": 1}])
        assert patched["n"] == replaced["n"] + 1
        await container.delete_item("i3", "p3")
        with pytest.raises(CosmosResourceNotFoundError):
            await container.read_item("i3", "p3")

    on_three_partitions(run)


def test_batches_and_read_many():
    async def run(_, container):
        results = await container.execute_item_batch(
            [("upsert", ({"id": "a", "pk": "p"},)), ("create", ({"id": "b", "pk": "p"},))], "p")
        assert [one["statusCode"] for one in results] == [201, 201]
        with pytest.raises(CosmosBatchOperationError) as failed:
            await container.execute_item_batch([("delete", ("a",)), ("create", ({"id": "b", "pk": "p"},))], "p")
        assert failed.value.error_index == 1
        found = await container.read_items([(f"i{n}", f"p{n % 10}") for n in range(0, 30, 3)])
        assert sorted(one["n"] for one in found) == list(range(0, 30, 3))

    on_three_partitions(run)


def test_queries():
    async def run(server, container):
        assert await collected(container.query_items("SELECT VALUE c.n FROM c ORDER BY c.n DESC", max_item_count=4)) \
            == list(range(29, -1, -1))
        assert await collected(container.query_items("SELECT VALUE SUM(c.n) FROM c")) == [435]
        assert await collected(container.query_items("SELECT VALUE c.n FROM c ORDER BY c.n", partition_key="p3")) \
            == [3, 13, 23]
        seen = []
        continuation = None
        for _ in range(100):
            async with CosmosClient(server.endpoint, KEY) as another:
                same = another.get_database_client("db").get_container_client("c")
                pages = same.query_items("SELECT VALUE c.n FROM c ORDER BY c.n", max_item_count=7).by_page(continuation)
                seen += await collected(await pages.__anext__())
                continuation = pages.continuation_token
            if not continuation:
                break
        assert seen == list(range(30))

    on_three_partitions(run)


def test_change_feed():
    async def run(_, container):
        changes = await collected(container.query_items_change_feed(start_time="Beginning", max_item_count=4))
        assert sorted(one["n"] for one in changes) == list(range(30))
        continuation = container.client_connection.last_response_headers["etag"]
        await container.upsert_item({"id": "i5", "pk": "p5", "n": 55})
        changes = await collected(container.query_items_change_feed(continuation=continuation))
        assert [one["n"] for one in changes] == [55]

    on_three_partitions(run)


def test_time_to_live():
    async def run(server, container):
        await container.create_item({"id": "dies", "pk": "p", "ttl": 10})
        server.clock.advance(9)
        assert (await container.read_item("dies", "p"))["ttl"] == 10
        server.clock.advance(1)
        with pytest.raises(CosmosResourceNotFoundError):
            await container.read_item("dies", "p")
        assert await collected(container.query_items("SELECT VALUE COUNT(1) FROM c")) == [30]

    on_three_partitions(run)


def test_throttled_requests_are_tried_again():
    async def main():
        with Server("--rate-limiting", "explicit") as server:
            async with CosmosClient(server.endpoint, KEY) as client:
                database = await client.create_database("db")
                container = await database.create_container("c", PartitionKey("/pk"), offer_throughput=400)
                for n in range(20):
                    await container.execute_item_batch(costly_batch(n), "p")
                    await container.create_item({"id": f"i{n}", "pk": "p"})
                    if server.metric("lapse_throttled_requests_total", container="c") > 0:
                        return
                pytest.fail("nobody was throttled")

    asyncio.run(main())


def test_a_wrong_key():
    async def main():
        with Server() as server:
            with pytest.raises(CosmosHttpResponseError) as refused:
                async with CosmosClient(server.endpoint, "d3Jvbmc="):
                    pass
            assert refused.value.status_code == 401

    asyncio.run(main())


def test_tls():
    async def main():
        with Server("--tls", "auto") as server:
            async with CosmosClient(server.endpoint, KEY) as client:
                await client.create_database("db")
                assert [one["id"] async for one in client.list_databases()] == ["db"]

    asyncio.run(main())
