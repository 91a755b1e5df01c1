package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.ids;
import static lapse.support.Documents.item;
import static lapse.support.Documents.plain;
import static lapse.support.Documents.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBulkOperationResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import lapse.support.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Containers with a partition key of several levels. */
class HierarchicalKeyTest {
  @RegisterExtension static final Server server = new Server();
  private static CosmosContainer container;

  private static CosmosContainer newContainer() {
    PartitionKeyDefinition key =
        new PartitionKeyDefinition()
            .setPaths(List.of("/tenant", "/user", "/n"))
            .setKind(PartitionKind.MULTI_HASH)
            .setVersion(PartitionKeyDefinitionVersion.V2);
    return server.newWideContainer(new CosmosContainerProperties(server.newId(), key));
  }

  @BeforeAll
  static void makeItems() {
    container = newContainer();
    for (int i = 0; i < 24; ++i) {
      container.createItem(item("{'id': '%d', 'tenant': 't%d', 'user': 'u%d', 'n': %d}", i, i % 4, i % 6, i));
    }
  }

  private static PartitionKey key(int i) {
    return new PartitionKeyBuilder().add("t" + i % 4).add("u" + i % 6).add(i).build();
  }

  @Test
  void anItemIsFoundByAllLevelsOfItsKey() {
    CosmosContainer own = newContainer();
    ObjectNode item = item("{'id': '1', 'tenant': 't1', 'user': 'ada', 'n': 7}");
    own.createItem(item);
    PartitionKey key = new PartitionKeyBuilder().add("t1").add("ada").add(7).build();
    assertEquals(item, plain(own.readItem("1", key, JsonNode.class).getItem()));
    own.replaceItem(item.put("more", true), "1", key, null);
    PartitionKey other = new PartitionKeyBuilder().add("t1").add("ada").add(8).build();
    failure(404, () -> own.readItem("1", other, JsonNode.class));
    own.deleteItem("1", key, null);
    failure(404, () -> own.readItem("1", key, JsonNode.class));
  }

  @Test
  void queriesTakeTheWholeKeyOrItsFirstLevels() {
    PartitionKey tenant = new PartitionKeyBuilder().add("t2").build();
    CosmosQueryRequestOptions ofTenant = new CosmosQueryRequestOptions().setPartitionKey(tenant);
    assertEquals(6, texts(container.queryItems("SELECT * FROM c", ofTenant, JsonNode.class)).size());
    assertEquals(
        List.of("6"), texts(container.queryItems("SELECT VALUE COUNT(1) FROM c", ofTenant, JsonNode.class)));
    assertEquals(
        List.of("22", "18", "14", "10", "6", "2"),
        ids(container.queryItems("SELECT * FROM c ORDER BY c.n DESC", ofTenant, JsonNode.class)));
    PartitionKey user = new PartitionKeyBuilder().add("t2").add("u0").build();
    CosmosQueryRequestOptions ofUser = new CosmosQueryRequestOptions().setPartitionKey(user);
    assertEquals(
        Set.of("6", "18"), Set.copyOf(ids(container.queryItems("SELECT * FROM c", ofUser, JsonNode.class))));
    CosmosQueryRequestOptions ofOne = new CosmosQueryRequestOptions().setPartitionKey(key(5));
    assertEquals(List.of("5"), ids(container.queryItems("SELECT * FROM c", ofOne, JsonNode.class)));
    String filter = "SELECT * FROM c WHERE c.tenant = 't2'";
    assertEquals(6, ids(container.queryItems(filter, new CosmosQueryRequestOptions(), JsonNode.class)).size());
  }

  @Test
  void readManyTakesWholeKeys() {
    List<CosmosItemIdentity> wanted = new ArrayList<>();
    for (int i = 0; i < 24; i += 3) wanted.add(new CosmosItemIdentity(key(i), String.valueOf(i)));
    assertEquals(8, container.readMany(wanted, JsonNode.class).getResults().size());
  }

  @Test
  void batchAndBulkTakeWholeKeys() {
    CosmosContainer own = newContainer();
    CosmosBatch batch = CosmosBatch.createCosmosBatch(key(1));
    batch.createItemOperation(item("{'id': 'a', 'tenant': 't1', 'user': 'u1', 'n': 1}"));
    batch.createItemOperation(item("{'id': 'b', 'tenant': 't1', 'user': 'u1', 'n': 1}"));
    assertTrue(own.executeCosmosBatch(batch).isSuccessStatusCode());
    List<CosmosItemOperation> operations = new ArrayList<>();
    for (int i = 0; i < 50; ++i) {
      ObjectNode item = item("{'id': '%d', 'tenant': 't%d', 'user': 'u%d', 'n': %d}", i, i % 4, i % 6, i);
      operations.add(CosmosBulkOperations.getCreateItemOperation(item, key(i)));
    }
    for (CosmosBulkOperationResponse<Object> response : own.executeBulkOperations(operations)) {
      assertEquals(201, response.getResponse().getStatusCode());
    }
    assertEquals(200, own.readItem("b", key(1), JsonNode.class).getStatusCode());
    assertEquals(200, own.readItem("49", key(49), JsonNode.class).getStatusCode());
  }

  @Test
  void theChangeFeedTakesTheWholeKey() {
    CosmosChangeFeedRequestOptions ofOne =
        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forLogicalPartition(key(7)));
    assertEquals(List.of("7"), ids(container.queryChangeFeed(ofOne, JsonNode.class)));
  }
}
