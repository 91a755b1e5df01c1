"""Queries: over one key, over all partitions, page by page, gone on with by another client, and with a plan."""

import pytest
from azure.cosmos import CosmosClient
from azure.cosmos.exceptions import CosmosHttpResponseError

from lapse_server import KEY

CROSS = {"enable_cross_partition_query": True}


@pytest.fixture
def filled(either_container):
    for n in range(50):
        either_container.create_item({"id": f"i{n}", "pk": f"p{n % 10}", "n": n, "even": n % 2 == 0, "tags": [n, -n]})
    return either_container


def test_all_items(filled):
    assert sorted(one["n"] for one in filled.read_all_items(max_item_count=7)) == list(range(50))


def test_order_over_all_partitions(filled):
    for text, expected in {
        "SELECT VALUE c.n FROM c ORDER BY c.n": list(range(50)),
        "SELECT VALUE c.n FROM c ORDER BY c.n DESC": list(range(49, -1, -1)),
        "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC": [49, 48, 47],
        "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3": [5, 6, 7],
    }.items():
        for page in (4, 1000):
            assert list(filled.query_items(text, max_item_count=page, **CROSS)) == expected, text


@pytest.mark.parametrize("partitions", [1, 3])
def test_order_of_several_keys_needs_a_composite_index(new_container, partitions):
    text = "SELECT VALUE c.n FROM c ORDER BY c.even, c.n OFFSET 4 LIMIT 2"
    composite = [{"path": "/even", "order": "ascending"}, {"path": "/n", "order": "ascending"}]
    policy = {"includedPaths": [{"path": "/*"}], "compositeIndexes": [composite]}
    for options in ({}, {"indexing_policy": policy}):
        container = new_container(partitions=partitions, **options)
        for n in range(10):
            container.create_item({"id": f"i{n}", "pk": f"p{n}", "n": n, "even": n % 2 == 0})
        query = container.query_items(text, max_item_count=1, **CROSS)
        if options:
            assert list(query) == [9, 0]
        else:
            with pytest.raises(CosmosHttpResponseError, match="composite index"):
                list(query)


def test_aggregates_over_all_partitions(filled):
    for text, expected in {
        "SELECT VALUE COUNT(1) FROM c": [50],
        "SELECT VALUE SUM(c.n) FROM c": [1225],
        "SELECT VALUE AVG(c.n) FROM c": [24.5],
        "SELECT VALUE MIN(c.n) FROM c WHERE c.even": [0],
        "SELECT VALUE MAX(c.n) FROM c WHERE c.even": [48],
        "SELECT COUNT(1) AS n, MAX(c.n) AS most FROM c": [{"n": 50, "most": 49}],
    }.items():
        assert list(filled.query_items(text, **CROSS)) == expected, text
    groups = filled.query_items("SELECT c.even, COUNT(1) AS n FROM c GROUP BY c.even", **CROSS)
    assert sorted((one["even"], one["n"]) for one in groups) == [(False, 25), (True, 25)]
    assert sorted(filled.query_items("SELECT DISTINCT VALUE c.pk FROM c", **CROSS)) == [f"p{n}" for n in range(10)]


def test_one_key(filled):
    text = "SELECT VALUE c.n FROM c ORDER BY c.n"
    assert list(filled.query_items(text, partition_key="p3")) == [3, 13, 23, 33, 43]
    assert list(filled.query_items("SELECT VALUE COUNT(1) FROM c", partition_key="p3")) == [5]
    assert list(filled.query_items(text, partition_key="nowhere")) == []


def test_parameters(filled):
    parameters = [{"name": "@some", "value": [2, 4, 99]}, {"name": "@most", "value": 3}]
    text = "SELECT VALUE c.n FROM c WHERE ARRAY_CONTAINS(@some, c.n) AND c.n <= @most"
    assert list(filled.query_items(text, parameters, **CROSS)) == [2]


@pytest.mark.parametrize("text", [
    "SELECT VALUE c.n FROM c",
    "SELECT VALUE c.n FROM c ORDER BY c.n",
    "SELECT DISTINCT VALUE c.n FROM c",
    "SELECT VALUE t FROM c JOIN t IN c.tags WHERE t > 0 OR t = 0 AND c.n > 0",
])
def test_another_client_goes_on(server, filled, text):
    """Each page is read by a client of its own, which knows the continuation and nothing else."""
    seen = []
    continuation = None
    for _ in range(100):
        with CosmosClient(server.endpoint, KEY) as client:
            container = client.get_database_client("db").get_container_client(filled.id)
            pages = container.query_items(text, max_item_count=7, **CROSS).by_page(continuation)
            seen += list(next(pages))
            continuation = pages.continuation_token
        if not continuation:
            break
    expected = range(1, 50) if "JOIN" in text else range(50)
    assert sorted(seen) == list(expected)


def test_a_part_of_the_container(filled):
    """Feed ranges cover the container and do not overlap."""
    ranges = list(filled.read_feed_ranges())
    parts = [list(filled.query_items("SELECT VALUE c.n FROM c", feed_range=one)) for one in ranges]
    assert sorted(n for part in parts for n in part) == list(range(50))
    key = filled.feed_range_from_partition_key("p3")
    assert sorted(filled.query_items("SELECT VALUE c.n FROM c", feed_range=key)) == [3, 13, 23, 33, 43]
    assert sum(filled.is_feed_range_subset(one, key) for one in ranges) == 1


def test_metrics(filled):
    headers = {}
    results = filled.query_items(
        "SELECT VALUE c.n FROM c WHERE c.n > 10",
        populate_query_metrics=True,
        populate_index_metrics=True,
        response_hook=lambda received, _: headers.update(received),
        **CROSS,
    )
    assert len(list(results)) == 39
    assert "retrievedDocumentCount=39" in headers["x-ms-documentdb-query-metrics"]
    assert headers["x-ms-cosmos-index-utilization"]


def test_a_mistake_is_named_with_its_place(container):
    with pytest.raises(CosmosHttpResponseError) as refused:
        list(container.query_items("SELECT NO_SUCH(c.n) FROM c", **CROSS))
    assert refused.value.status_code == 400
    assert "SC2005" in refused.value.message


def test_a_query_over_all_partitions_has_to_be_allowed(filled):
    with pytest.raises(CosmosHttpResponseError) as refused:
        list(filled.query_items("SELECT * FROM c"))
    assert refused.value.status_code == 400
    assert "x-ms-documentdb-query-enablecrosspartition" in refused.value.message
    assert [one["n"] for one in filled.query_items("SELECT * FROM c WHERE c.pk = 'p3' AND c.n = 13")] == [13]
