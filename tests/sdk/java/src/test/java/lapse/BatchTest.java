package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.item;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosBulkOperationResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lapse.support.Documents;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactional batches, bulk and read many. */
class BatchTest {
  @RegisterExtension static final Server server = new Server();
  private static final PartitionKey KEY = new PartitionKey("a");

  private static List<Integer> statuses(CosmosBatchResponse response) {
    return response.getResults().stream().map(CosmosBatchOperationResult::getStatusCode).toList();
  }

  @Test
  void aBatchDoesAllOfItsOperations() {
    CosmosContainer container = server.newContainer("/pk");
    for (String id : List.of("replaced", "patched", "deleted")) {
      container.createItem(item("{'id': '%s', 'pk': 'a', 'n': 1}", id));
    }
    CosmosBatch batch = CosmosBatch.createCosmosBatch(KEY);
    batch.createItemOperation(item("{'id': 'created', 'pk': 'a'}"));
    batch.upsertItemOperation(item("{'id': 'upserted', 'pk': 'a'}"));
    batch.replaceItemOperation("replaced", item("{'id': 'replaced', 'pk': 'a', 'n': 2}"));
    batch.patchItemOperation("patched", CosmosPatchOperations.create().increment("/n", 2));
    batch.deleteItemOperation("deleted");
    batch.readItemOperation("patched");
    CosmosBatchResponse response = container.executeCosmosBatch(batch);

    assertTrue(response.isSuccessStatusCode(), response.getErrorMessage());
    assertEquals(List.of(201, 201, 200, 200, 204, 200), statuses(response));
    assertEquals(3, response.getResults().get(5).getItem(JsonNode.class).get("n").asInt());
    failure(404, () -> container.readItem("deleted", KEY, JsonNode.class));
  }

  @Test
  void aBatchThatFailsDoesNothing() {
    CosmosContainer container = server.newContainer("/pk");
    container.createItem(item("{'id': 'there', 'pk': 'a', 'n': 1}"));
    CosmosBatch batch = CosmosBatch.createCosmosBatch(KEY);
    batch.createItemOperation(item("{'id': 'new', 'pk': 'a'}"));
    batch.createItemOperation(item("{'id': 'there', 'pk': 'a'}"));
    batch.deleteItemOperation("there");
    CosmosBatchResponse response = container.executeCosmosBatch(batch);

    assertFalse(response.isSuccessStatusCode());
    assertEquals(409, response.getStatusCode());
    assertEquals(List.of(424, 409, 424), statuses(response));
    failure(404, () -> container.readItem("new", KEY, JsonNode.class));
    assertEquals(200, container.readItem("there", KEY, JsonNode.class).getStatusCode());
  }

  @Test
  void aBatchHonoursEtags() {
    CosmosContainer container = server.newContainer("/pk");
    String etag = container.createItem(item("{'id': '1', 'pk': 'a'}")).getETag();
    container.upsertItem(item("{'id': '1', 'pk': 'a', 'n': 1}"));
    CosmosBatch batch = CosmosBatch.createCosmosBatch(KEY);
    batch.deleteItemOperation("1", new CosmosBatchItemRequestOptions().setIfMatchETag(etag));
    assertEquals(412, container.executeCosmosBatch(batch).getStatusCode());
    assertEquals(200, container.readItem("1", KEY, JsonNode.class).getStatusCode());
  }

  @Test
  void aBatchOfMoreThanAHundredIsRefused() {
    CosmosContainer container = server.newContainer("/pk");
    CosmosBatch batch = CosmosBatch.createCosmosBatch(KEY);
    for (int i = 0; i < 101; ++i) batch.createItemOperation(item("{'id': '%d', 'pk': 'a'}", i));
    failure(400, () -> container.executeCosmosBatch(batch));
    failure(404, () -> container.readItem("0", KEY, JsonNode.class));
  }

  @Test
  void bulkGoesToAllPartitionsAndTellsEachOutcome() {
    CosmosContainer container = server.newWideContainer("/pk");
    container.createItem(item("{'id': '7', 'pk': 'k7'}"));
    List<CosmosItemOperation> operations = new ArrayList<>();
    for (int i = 0; i < 500; ++i) {
      operations.add(
          CosmosBulkOperations.getCreateItemOperation(
              item("{'id': '%d', 'pk': 'k%d', 'n': %d}", i, i, i), new PartitionKey("k" + i)));
    }
    int created = 0;
    int conflicts = 0;
    for (CosmosBulkOperationResponse<Object> response : container.executeBulkOperations(operations)) {
      assertEquals(null, response.getException());
      int status = response.getResponse().getStatusCode();
      if (status == 201) ++created;
      if (status == 409) ++conflicts;
    }
    assertEquals(499, created);
    assertEquals(1, conflicts);

    List<CosmosItemOperation> mixed = new ArrayList<>();
    mixed.add(CosmosBulkOperations.getReadItemOperation("1", new PartitionKey("k1")));
    mixed.add(CosmosBulkOperations.getDeleteItemOperation("2", new PartitionKey("k2")));
    mixed.add(
        CosmosBulkOperations.getPatchItemOperation(
            "3", new PartitionKey("k3"), CosmosPatchOperations.create().increment("/n", 1)));
    mixed.add(
        CosmosBulkOperations.getReplaceItemOperation("4", item("{'id': '4', 'pk': 'k4'}"), new PartitionKey("k4")));
    mixed.add(CosmosBulkOperations.getUpsertItemOperation(item("{'id': 'x', 'pk': 'kx'}"), new PartitionKey("kx")));
    mixed.add(CosmosBulkOperations.getReadItemOperation("none", new PartitionKey("k1")));
    Set<Integer> statuses = new HashSet<>();
    for (CosmosBulkOperationResponse<Object> response : container.executeBulkOperations(mixed)) {
      statuses.add(response.getResponse().getStatusCode());
    }
    assertEquals(Set.of(200, 201, 204, 404), statuses);
  }

  @Test
  void readManyFindsWhatIsThere() {
    CosmosContainer container = server.newWideContainer("/pk");
    List<CosmosItemIdentity> wanted = new ArrayList<>();
    for (int i = 0; i < 60; ++i) {
      container.createItem(item("{'id': '%d', 'pk': 'k%d'}", i, i % 20));
      if (i % 2 == 0) wanted.add(new CosmosItemIdentity(new PartitionKey("k" + i % 20), String.valueOf(i)));
    }
    wanted.add(new CosmosItemIdentity(new PartitionKey("k1"), "none"));
    FeedResponse<JsonNode> found = container.readMany(wanted, JsonNode.class);
    assertEquals(30, found.getResults().size());
    assertTrue(Documents.ids(found.getResults()).stream().allMatch(id -> Integer.parseInt(id) % 2 == 0));

    FeedResponse<JsonNode> one =
        container.readMany(List.of(new CosmosItemIdentity(new PartitionKey("k3"), "3")), JsonNode.class);
    assertEquals(List.of("3"), Documents.ids(one.getResults()));
  }

  @Test
  void readManyWorksWithTheIdAsKey() {
    CosmosContainer container = server.newWideContainer("/id");
    List<CosmosItemIdentity> wanted = new ArrayList<>();
    for (String id : List.of("a", "b", "c")) {
      container.createItem(item("{'id': '%s'}", id));
      wanted.add(new CosmosItemIdentity(new PartitionKey(id), id));
    }
    assertEquals(3, container.readMany(wanted, JsonNode.class).getResults().size());
  }

  @Test
  void readManyByPartitionKeysFindsAllItemsOfTheKeys() {
    CosmosContainer container = server.newWideContainer("/pk");
    for (int i = 0; i < 30; ++i) container.createItem(item("{'id': '%d', 'pk': 'k%d'}", i, i % 10));
    List<PartitionKey> keys = List.of(new PartitionKey("k1"), new PartitionKey("k2"), new PartitionKey("k9"));
    assertEquals(
        Set.of("1", "11", "21", "2", "12", "22", "9", "19", "29"),
        new HashSet<>(Documents.ids(container.readManyByPartitionKeys(keys, JsonNode.class))));
  }
}
