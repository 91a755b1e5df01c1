"""The queries that the tests of every SDK ask: ../shared/README.md says how they are compared."""

import json
import pathlib

import pytest
from azure.cosmos import PartitionKey

HERE = pathlib.Path(__file__).parent
SHARED = json.loads((HERE / "../shared/queries.json").read_text("utf8"))
SYSTEM_PROPERTIES = {"_rid", "_self", "_etag", "_attachments", "_ts"}


def comparable(results, ordered):
    def canonical(value):
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, list):
            return [canonical(one) for one in value]
        if isinstance(value, dict):
            return {name: canonical(one) for name, one in value.items()}
        return value

    def text(result):
        if isinstance(result, dict) and "_rid" in result:
            result = {name: value for name, value in result.items() if name not in SYSTEM_PROPERTIES}
        return json.dumps(canonical(result), sort_keys=True)

    texts = [text(result) for result in results]
    return texts if ordered else sorted(texts)


@pytest.fixture(scope="module")
def containers(database):
    made = {}
    for name, documents in SHARED["documents"].items():
        key = PartitionKey(SHARED["partitionKey"])
        made[name] = database.create_container(name, key, offer_throughput=SHARED["throughput"])
        for document in documents:
            made[name].create_item(document)
    return made


@pytest.mark.parametrize("case", SHARED["queries"], ids=lambda case: case["name"])
def test_answer(containers, case):
    for page in ({"max_item_count": 2}, {}):
        results = containers[case["documents"]].query_items(
            case["query"], parameters=case["parameters"], enable_cross_partition_query=True, **page
        )
        assert comparable(results, case["ordered"]) == comparable(case["results"], case["ordered"])
