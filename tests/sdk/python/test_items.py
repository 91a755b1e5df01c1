"""Items: every kind of key, conditions, patch, batch, read many."""

import pytest
from azure.core import MatchConditions
from azure.cosmos.partition_key import NonePartitionKeyValue, NullPartitionKeyValue
from azure.cosmos.exceptions import (
    CosmosAccessConditionFailedError,
    CosmosBatchOperationError,
    CosmosHttpResponseError,
    CosmosResourceExistsError,
    CosmosResourceNotFoundError,
)

KEYS = ["text", "", "ключ 🔑 \u007f\a", 'quotes " and \\', 1, -1.5, 1e300, 0, True, False]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_a_key_of_any_kind(either_container, key):
    container = either_container
    container.create_item({"id": "x", "pk": key, "n": 1})
    assert container.read_item("x", key)["pk"] == key
    container.replace_item("x", {"id": "x", "pk": key, "n": 2})
    container.upsert_item({"id": "x", "pk": key, "n": 3})
    assert [one["n"] for one in container.query_items("SELECT * FROM c", partition_key=key)] == [3]
    container.delete_item("x", key)
    with pytest.raises(CosmosResourceNotFoundError):
        container.read_item("x", key)


def test_the_key_null_and_no_key_are_two(container):
    container.create_item({"id": "x", "pk": None, "what": "null"})
    container.create_item({"id": "x", "what": "none"})
    assert container.read_item("x", NullPartitionKeyValue)["what"] == "null"
    assert container.read_item("x", NonePartitionKeyValue)["what"] == "none"
    container.delete_item("x", NonePartitionKeyValue)
    with pytest.raises(CosmosResourceNotFoundError):
        container.read_item("x", NonePartitionKeyValue)
    assert container.read_item("x", NullPartitionKeyValue)["what"] == "null"


def test_a_key_within_an_object(new_container):
    container = new_container("/address/city")
    container.create_item({"id": "x", "address": {"city": "Bern"}})
    assert container.read_item("x", "Bern")["address"] == {"city": "Bern"}


@pytest.mark.parametrize("partitions", [1, 3])
def test_a_hierarchical_key(new_container, partitions):
    container = new_container(["/tenant", "/user", "/session"], partitions)
    for n in range(27):
        container.create_item({"id": f"i{n}", "tenant": f"t{n % 3}", "user": f"u{n // 3 % 3}", "session": n, "n": n})
    assert container.read_item("i7", ["t1", "u2", 7])["n"] == 7

    def numbers(key):
        return list(container.query_items("SELECT VALUE c.n FROM c ORDER BY c.n", partition_key=key))

    assert numbers(["t1", "u2", 7]) == [7]
    assert sorted(numbers(["t1", "u2"])) == [7, 16, 25]
    assert sorted(numbers(["t1"])) == [n for n in range(27) if n % 3 == 1]
    assert numbers(["t9"]) == []
    container.delete_item("i7", ["t1", "u2", 7])
    assert sorted(numbers(["t1", "u2"])) == [16, 25]


def test_an_item_may_stand_for_its_id(container):
    """The SDK then goes to the item's _self link."""
    item = container.create_item({"id": "x", "pk": "p", "n": 1})
    assert container.read_item(item, "p")["n"] == 1
    item = container.replace_item(item, {"id": "x", "pk": "p", "n": 2})
    assert container.patch_item(item, "p", [{"op": "incr", "path": "/n", "value": 1}])["n"] == 3
    container.delete_item(item, "p")
    with pytest.raises(CosmosResourceNotFoundError):
        container.read_item(item, "p")


@pytest.mark.parametrize("name", ["blank here", "100%", "a+b", "ключ", "🔑", 'quo"te', "x" * 255, "a&b=c", "~-_.!*()"])
def test_an_id_of_any_kind(container, name):
    container.create_item({"id": name, "pk": "p"})
    assert container.read_item(name, "p")["id"] == name
    container.delete_item(name, "p")


def test_an_id_is_made_where_there_is_none(container):
    with pytest.raises(CosmosHttpResponseError):
        container.create_item({"pk": "p"})
    made = container.create_item({"pk": "p"}, enable_automatic_id_generation=True)
    assert container.read_item(made["id"], "p")["id"] == made["id"]


def test_what_is_there_and_what_is_not(container):
    with pytest.raises(CosmosResourceNotFoundError):
        container.read_item("x", "p")
    with pytest.raises(CosmosResourceNotFoundError):
        container.replace_item("x", {"id": "x", "pk": "p"})
    with pytest.raises(CosmosResourceNotFoundError):
        container.delete_item("x", "p")
    container.create_item({"id": "x", "pk": "p"})
    with pytest.raises(CosmosResourceExistsError):
        container.create_item({"id": "x", "pk": "p"})


def test_every_kind_of_value_comes_back_as_it_was(container):
    values = {
        "text": "ключ 🔑 \u0000 \u2028",
        "integers": [0, -1, 2**53 + 1, 2**63 - 1, -(2**63)],
        "doubles": [0.1, -2.5e-300, 1e300],
        "others": [True, False, None, [], {}, [[{}]]],
    }
    container.create_item({"id": "x", "pk": "p", **values})
    read = container.read_item("x", "p")
    assert {name: read[name] for name in values} == values


def test_writes_in_the_version_that_was_read(container):
    old = container.create_item({"id": "x", "pk": "p", "n": 1})
    new = container.replace_item("x", {"id": "x", "pk": "p", "n": 2})
    unchanged = {"match_condition": MatchConditions.IfNotModified}
    for write in (
        lambda **condition: container.replace_item("x", {"id": "x", "pk": "p", "n": 3}, **condition),
        lambda **condition: container.upsert_item({"id": "x", "pk": "p", "n": 3}, **condition),
        lambda **condition: container.patch_item("x", "p", [{"op": "set", "path": "/n", "value": 3}], **condition),
        lambda **condition: container.delete_item("x", "p", **condition),
    ):
        with pytest.raises(CosmosAccessConditionFailedError):
            write(etag=old["_etag"], **unchanged)
    assert container.read_item("x", "p")["_etag"] == new["_etag"]
    assert container.replace_item("x", {"id": "x", "pk": "p", "n": 4}, etag=new["_etag"], **unchanged)["n"] == 4


def test_a_write_without_an_answer(container):
    made = container.create_item({"id": "x", "pk": "p"}, no_response=True)
    assert not made
    assert made.get_response_headers()["etag"] == container.read_item("x", "p")["_etag"]


def test_patch(container):
    container.create_item({"id": "x", "pk": "p", "n": 1, "list": [1, 3], "old": "gone", "from": "here"})
    patched = container.patch_item("x", "p", [
        {"op": "add", "path": "/list/1", "value": 2},
        {"op": "set", "path": "/new", "value": {"a": [None]}},
        {"op": "incr", "path": "/n", "value": 10},
        {"op": "remove", "path": "/old"},
        {"op": "move", "from": "/from", "path": "/to"},
    ])
    assert patched["list"] == [1, 2, 3]
    assert patched["new"] == {"a": [None]}
    assert patched["n"] == 11
    assert "old" not in patched and "from" not in patched and patched["to"] == "here"


def test_patch_on_a_condition(container):
    container.create_item({"id": "x", "pk": "p", "n": 1})
    change = [{"op": "set", "path": "/n", "value": 2}]
    with pytest.raises(CosmosAccessConditionFailedError):
        container.patch_item("x", "p", change, filter_predicate="from c where c.n = 9")
    assert container.patch_item("x", "p", change, filter_predicate="from c where c.n = 1")["n"] == 2


def test_a_bad_patch_changes_nothing(container):
    made = container.create_item({"id": "x", "pk": "p", "n": 1})
    for change in (
        [{"op": "replace", "path": "/missing", "value": 1}],
        [{"op": "set", "path": "/n", "value": 2}, {"op": "remove", "path": "/missing"}],
        [{"op": "set", "path": "/id", "value": "y"}],
        [{"op": "set", "path": "/pk", "value": "q"}],
        [{"op": "nonsense", "path": "/n", "value": 2}],
        [{"op": "incr", "path": "/n", "value": 1}] * 11,
    ):
        with pytest.raises(CosmosHttpResponseError) as refused:
            container.patch_item("x", "p", change)
        assert refused.value.status_code == 400
    assert container.read_item("x", "p")["_etag"] == made["_etag"]


def test_a_batch_of_every_operation(container):
    container.create_item({"id": "read", "pk": "p", "n": 0})
    container.create_item({"id": "replaced", "pk": "p", "n": 0})
    container.create_item({"id": "patched", "pk": "p", "n": 0})
    container.create_item({"id": "deleted", "pk": "p", "n": 0})
    results = container.execute_item_batch([
        ("create", ({"id": "created", "pk": "p"},)),
        ("upsert", ({"id": "upserted", "pk": "p"},)),
        ("read", ("read",)),
        ("replace", ("replaced", {"id": "replaced", "pk": "p", "n": 1})),
        ("patch", ("patched", [{"op": "incr", "path": "/n", "value": 5}])),
        ("delete", ("deleted",)),
    ], "p")
    assert [one["statusCode"] for one in results] == [201, 201, 200, 200, 200, 204]
    assert results[4]["resourceBody"]["n"] == 5
    ids = sorted(container.query_items("SELECT VALUE c.id FROM c", partition_key="p"))
    assert ids == ["created", "patched", "read", "replaced", "upserted"]


def test_a_failed_batch_changes_nothing(container):
    made = container.create_item({"id": "there", "pk": "p"})
    operations = [
        ("create", ({"id": "new", "pk": "p"},)),
        ("replace", ("there", {"id": "there", "pk": "p"}), {"if_match_etag": made["_etag"]}),
        ("create", ({"id": "there", "pk": "p"},)),
        ("delete", ("there",)),
    ]
    with pytest.raises(CosmosBatchOperationError) as failed:
        container.execute_item_batch(operations, "p")
    assert failed.value.error_index == 2
    assert failed.value.status_code == 409
    assert [one["statusCode"] for one in failed.value.operation_responses] == [424, 424, 409, 424]
    assert container.read_item("there", "p")["_etag"] == made["_etag"]
    with pytest.raises(CosmosResourceNotFoundError):
        container.read_item("new", "p")


def test_a_batch_has_at_most_a_hundred_operations(container):
    with pytest.raises(CosmosHttpResponseError) as refused:
        container.execute_item_batch([("create", ({"id": f"{n}", "pk": "p"},)) for n in range(101)], "p")
    assert refused.value.status_code == 400
    assert list(container.read_all_items()) == []


@pytest.mark.parametrize("path", ["/id", "/pk"])
def test_read_many(new_container, path):
    container = new_container(path, partitions=3)
    for n in range(60):
        container.create_item({"id": f"i{n}", "pk": f"p{n % 20}", "n": n})
    wanted = [(f"i{n}", f"i{n}" if path == "/id" else f"p{n % 20}") for n in (*range(0, 60, 2), 99)]
    found = container.read_items(wanted)
    assert sorted(one["n"] for one in found) == list(range(0, 60, 2))
    assert [one["n"] for one in container.read_items(wanted[:1])] == [0]
    assert container.read_items([]) == []


def test_read_many_with_a_hierarchical_key(new_container):
    container = new_container(["/a", "/b"], partitions=3)
    for n in range(20):
        container.create_item({"id": f"i{n}", "a": f"a{n % 4}", "b": n, "n": n})
    found = container.read_items([(f"i{n}", [f"a{n % 4}", n]) for n in (1, 5, 7, 19)])
    assert sorted(one["n"] for one in found) == [1, 5, 7, 19]


def test_read_many_of_one_hierarchical_key_finds_nothing_in_this_sdk(new_container):
    # The SDK compares the first level of the key with the list of all levels; a query finds the items.
    container = new_container(["/a", "/b"])
    for n in range(2):
        container.create_item({"id": f"i{n}", "a": "a", "b": 7, "n": n})
    assert container.read_items([("i0", ["a", 7]), ("i1", ["a", 7])]) == []
    assert [one["n"] for one in container.read_items([("i1", ["a", 7])])] == [1]
    by_query = container.query_items("SELECT * FROM c WHERE c.id IN ('i0', 'i1')", partition_key=["a", 7])
    assert sorted(one["n"] for one in by_query) == [0, 1]


def test_every_answer_has_a_charge_and_a_session_token(container):
    headers = container.create_item({"id": "x", "pk": "p"}).get_response_headers()
    assert float(headers["x-ms-request-charge"]) > 0
    assert headers["x-ms-session-token"]
    token = headers["x-ms-session-token"]
    assert container.read_item("x", "p", session_token=token)["id"] == "x"


def test_a_bad_ttl_is_refused(new_container):
    container = new_container(default_ttl=-1)
    for ttl in (0, -2, 1.5, "60", None, 2**31):
        with pytest.raises(CosmosHttpResponseError) as refused:
            container.create_item({"id": "x", "pk": "p", "ttl": ttl})
        assert refused.value.status_code == 400
        assert "ttl" in refused.value.message


def test_all_items_of_a_key_are_deleted_at_once(either_container):
    container = either_container
    for n in range(20):
        container.create_item({"id": f"i{n}", "pk": "p", "n": n})
        container.create_item({"id": f"i{n}", "pk": "q", "n": n})
    old = container.read_item("i0", "p")
    container.delete_all_items_by_partition_key("p")
    with pytest.raises(CosmosResourceNotFoundError):
        container.read_item("i0", "p")
    with pytest.raises(CosmosResourceNotFoundError):
        container.read_item(old, "p")
    assert list(container.query_items("SELECT * FROM c", partition_key="p")) == []
    assert list(container.query_items("SELECT VALUE COUNT(1) FROM c", partition_key="q")) == [20]
    assert {one["pk"] for one in container.read_all_items()} == {"q"}
    made = container.create_item({"id": "i0", "pk": "p"})
    assert made["_rid"] != old["_rid"]
    container.delete_all_items_by_partition_key("nothing is there")


@pytest.mark.parametrize("key", [1, True, None, NullPartitionKeyValue, NonePartitionKeyValue], ids=repr)
def test_all_items_of_a_key_of_another_kind(container, key):
    none = key is NonePartitionKeyValue
    null = key is None or key is NullPartitionKeyValue
    item = {"id": "x"} if none else {"id": "x", "pk": None if null else key}
    container.create_item(item)
    container.create_item({"id": "x", "pk": "other"})
    container.delete_all_items_by_partition_key(key)
    assert [one.get("pk") for one in container.read_all_items()] == ["other"]


def test_all_items_of_a_hierarchical_key(new_container):
    container = new_container(["/tenant", "/user"])
    for user in ("a", "b"):
        container.create_item({"id": "x", "tenant": "t", "user": user})
    with pytest.raises(CosmosHttpResponseError) as refused:
        container.delete_all_items_by_partition_key(["t"])
    assert refused.value.status_code == 400
    container.delete_all_items_by_partition_key(["t", "a"])
    assert [one["user"] for one in container.read_all_items()] == ["b"]
