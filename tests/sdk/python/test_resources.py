"""Databases, containers and throughput."""

import pytest
from azure.cosmos import PartitionKey, ThroughputProperties
from azure.cosmos.exceptions import (
    CosmosHttpResponseError,
    CosmosResourceExistsError,
    CosmosResourceNotFoundError,
)


def test_a_database_from_creation_to_deletion(client):
    database = client.create_database("whole life")
    assert database.read()["id"] == "whole life"
    with pytest.raises(CosmosResourceExistsError):
        client.create_database("whole life")
    assert client.create_database_if_not_exists("whole life").read()["_rid"] == database.read()["_rid"]
    assert "whole life" in [one["id"] for one in client.list_databases()]
    found = client.query_databases("SELECT * FROM r WHERE r.id = @id", [{"name": "@id", "value": "whole life"}])
    assert [one["id"] for one in found] == ["whole life"]
    client.delete_database("whole life")
    with pytest.raises(CosmosResourceNotFoundError):
        database.read()


@pytest.mark.parametrize("name", ["", "a/b", "a\\b", "a?b", "a#b", "ends with a blank ", "x" * 256])
def test_a_bad_name_is_refused(client, name):
    with pytest.raises((CosmosHttpResponseError, ValueError)) as refused:
        client.create_database(name)
    if isinstance(refused.value, CosmosHttpResponseError):
        assert refused.value.status_code == 400


def test_a_container_from_creation_to_deletion(database):
    definition = {
        "indexing_policy": {"indexingMode": "consistent", "automatic": True, "excludedPaths": [{"path": "/text/?"}]},
        "default_ttl": 60,
        "unique_key_policy": {"uniqueKeys": [{"paths": ["/mail"]}]},
    }
    container = database.create_container("whole", PartitionKey("/pk"), **definition)
    properties = container.read()
    assert properties["partitionKey"]["paths"] == ["/pk"]
    assert properties["defaultTtl"] == 60
    assert properties["uniqueKeyPolicy"]["uniqueKeys"] == [{"paths": ["/mail"]}]
    assert {"path": "/text/?"} in properties["indexingPolicy"]["excludedPaths"]
    with pytest.raises(CosmosResourceExistsError):
        database.create_container("whole", PartitionKey("/pk"))
    again = database.create_container_if_not_exists("whole", PartitionKey("/pk"))
    assert again.read()["_rid"] == properties["_rid"]

    # The SDK does not send the unique keys with a replace: the service refuses it for such a container, and so do we.
    with pytest.raises(CosmosHttpResponseError) as refused:
        database.replace_container("whole", PartitionKey("/pk"), default_ttl=-1)
    assert refused.value.status_code == 403
    assert "whole" in [one["id"] for one in database.list_containers()]
    found = database.query_containers("SELECT * FROM r WHERE r.id = @id", [{"name": "@id", "value": "whole"}])
    assert [one["id"] for one in found] == ["whole"]
    database.delete_container("whole")
    with pytest.raises(CosmosResourceNotFoundError):
        container.read()


def test_a_container_is_replaced(new_container, database):
    container = new_container(default_ttl=60)
    excluding = {"excludedPaths": [{"path": "/text/?"}]}
    replaced = database.replace_container(container, PartitionKey("/pk"), default_ttl=-1, indexing_policy=excluding)
    assert replaced.read()["defaultTtl"] == -1
    assert {"path": "/text/?"} in container.read()["indexingPolicy"]["excludedPaths"]
    database.replace_container(container, PartitionKey("/pk"))
    assert "defaultTtl" not in container.read()


def test_unique_keys_are_held(new_container):
    container = new_container(unique_key_policy={"uniqueKeys": [{"paths": ["/mail"]}]})
    container.create_item({"id": "1", "pk": "p", "mail": "a@b"})
    with pytest.raises(CosmosResourceExistsError):
        container.create_item({"id": "2", "pk": "p", "mail": "a@b"})
    container.create_item({"id": "2", "pk": "q", "mail": "a@b"})


def test_a_container_that_was_made_again_under_its_name_is_found(client, database):
    """The SDK remembers the _rid of a container, sends it, and looks again when it is another one's."""
    container = database.create_container("again", PartitionKey("/pk"))
    container.create_item({"id": "1", "pk": "old"})
    database.delete_container("again")
    database.create_container("again", PartitionKey("/key")).create_item({"id": "1", "key": "new"})
    assert container.read_item("1", "new")["key"] == "new"


def test_throughput_of_a_container(new_container):
    container = new_container(offer_throughput=500)
    assert container.get_throughput().offer_throughput == 500
    assert container.replace_throughput(900).offer_throughput == 900
    assert container.get_throughput().offer_throughput == 900
    with pytest.raises(CosmosHttpResponseError) as refused:
        container.replace_throughput(399)
    assert refused.value.status_code == 400
    assert "between 400 and" in refused.value.message


def test_autoscale(new_container):
    most = ThroughputProperties(auto_scale_max_throughput=4000)
    container = new_container(offer_throughput=most)
    assert container.get_throughput().auto_scale_max_throughput == 4000
    container.replace_throughput(ThroughputProperties(auto_scale_max_throughput=6000))
    assert container.get_throughput().auto_scale_max_throughput == 6000


def test_throughput_of_a_database(client):
    database = client.create_database("shared throughput", offer_throughput=700)
    assert database.get_throughput().offer_throughput == 700
    assert database.replace_throughput(800).offer_throughput == 800


def test_conflicts_are_an_empty_feed(container):
    assert list(container.list_conflicts()) == []
