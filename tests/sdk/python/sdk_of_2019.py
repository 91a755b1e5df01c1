"""A program for azure-cosmos 3.1, as Debian 12 has it. Run by Debian's own Python: sdk_of_2019.py ENDPOINT KEY."""

import sys

import azure.cosmos.cosmos_client as cosmos_client
import azure.cosmos.errors as errors
from azure.cosmos.http_constants import HttpHeaders

ENDPOINT, KEY = sys.argv[1:]


def status_of(call):
    try:
        call()
    except errors.HTTPFailure as failure:
        return failure.status_code
    return 200


client = cosmos_client.CosmosClient(ENDPOINT, {"masterKey": KEY})
assert "3.1" in client.default_headers[HttpHeaders.UserAgent], client.default_headers
client.CreateDatabase({"id": "old"})
assert status_of(lambda: client.CreateDatabase({"id": "old"})) == 409
assert [one["id"] for one in client.ReadDatabases()] == ["old"]
assert [one["id"] for one in client.QueryDatabases("SELECT * FROM r WHERE r.id = 'old'")] == ["old"]

key = {"paths": ["/pk"], "kind": "Hash"}
definition = {"id": "c", "partitionKey": key, "defaultTtl": 60}
container = client.CreateContainer("dbs/old", definition, {"offerThroughput": 18000})
assert client.ReadContainer("dbs/old/colls/c")["defaultTtl"] == 60
assert [one["id"] for one in client.ReadContainers("dbs/old")] == ["c"]
offers = list(client.QueryOffers('SELECT * FROM root r WHERE r.resource = "%s"' % container["_self"]))
assert [one["content"]["offerThroughput"] for one in offers] == [18000]

for link in ("dbs/old/colls/c", container["_self"]):
    for n in range(20):
        item = client.CreateItem(link, {"id": "i%d" % n, "pk": "p%d" % (n % 5), "n": n, "ttl": 600})
        assert client.ReadItem(item["_self"], {"partitionKey": item["pk"]})["n"] == n
    three = client.UpsertItem(link, {"id": "i3", "pk": "p3", "n": 103})
    assert three["n"] == 103
    for item_link in ("dbs/old/colls/c/docs/i3", three["_self"]):
        assert client.ReplaceItem(item_link, {"id": "i3", "pk": "p3", "n": 3})["n"] == 3

    assert sorted(one["n"] for one in client.ReadItems(link, {"maxItemCount": 7})) == list(range(20))
    everywhere = {"enableCrossPartitionQuery": True, "maxItemCount": 4}
    for text, expected in (
        ("SELECT VALUE c.n FROM c ORDER BY c.n DESC", list(range(19, -1, -1))),
        ("SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n", [0, 1, 2]),
        ("SELECT VALUE COUNT(1) FROM c", [20]),
        ("SELECT VALUE c.n FROM c WHERE c.n = 7", [7]),
    ):
        assert list(client.QueryItems(link, text, everywhere)) == expected, text
    parameters = [{"name": "@least", "value": 17}]
    query = {"query": "SELECT VALUE c.n FROM c WHERE c.n >= @least ORDER BY c.n", "parameters": parameters}
    assert list(client.QueryItems(link, query, everywhere)) == [17, 18, 19]
    of_one_key = client.QueryItems(link, "SELECT VALUE c.n FROM c ORDER BY c.n", {"partitionKey": "p3"})
    assert list(of_one_key) == [3, 8, 13, 18]
    assert status_of(lambda: list(client.QueryItems(link, "SELECT * FROM c"))) == 400
    assert status_of(lambda: list(client.QueryItems(link, "SELECT FROM c", everywhere))) == 400

    changed = []
    for part in ("0", "1", "2"):
        changes = client.QueryItemsChangeFeed(link, {"partitionKeyRangeId": part, "isStartFromBeginning": True})
        changed += [one["n"] for one in changes]
    assert sorted(changed) == list(range(20))

    item = client.ReadItem("dbs/old/colls/c/docs/i7", {"partitionKey": "p2"})
    condition = {"type": "IfMatch", "condition": '"another"'}
    options = {"partitionKey": "p2", "accessCondition": condition}
    assert status_of(lambda: client.DeleteItem(item["_self"], options)) == 412
    for n in range(20):
        client.DeleteItem("dbs/old/colls/c/docs/i%d" % n, {"partitionKey": "p%d" % (n % 5)})
    assert list(client.ReadItems(link)) == []
    assert status_of(lambda: client.ReadItem("dbs/old/colls/c/docs/i7", {"partitionKey": "p2"})) == 404

client.ReplaceContainer("dbs/old/colls/c", {"id": "c", "partitionKey": key, "defaultTtl": -1})
assert client.ReadContainer(container["_self"])["defaultTtl"] == -1
client.DeleteContainer("dbs/old/colls/c")
client.DeleteDatabase("dbs/old")
assert list(client.ReadDatabases()) == []
print("done")
