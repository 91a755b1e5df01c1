package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.ids;
import static lapse.support.Documents.item;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import lapse.support.Documents;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Time to live: one second before it ends, at its end, and after. */
class TtlTest {
  @RegisterExtension static final Server server = new Server();
  private static final PartitionKey KEY = new PartitionKey("a");

  private static CosmosContainer newContainer(Integer defaultTtl) {
    CosmosContainerProperties definition = new CosmosContainerProperties(server.newId(), "/pk");
    if (defaultTtl != null) definition.setDefaultTimeToLiveInSeconds(defaultTtl);
    return server.newWideContainer(definition);
  }

  /** Every way to look must see the same. */
  private static void assertThere(CosmosContainer container, String id, boolean there) {
    if (there) {
      assertEquals(200, container.readItem(id, KEY, JsonNode.class).getStatusCode());
    } else {
      failure(404, () -> container.readItem(id, KEY, JsonNode.class));
    }
    List<String> expected = there ? List.of(id) : List.of();
    CosmosQueryRequestOptions everywhere = new CosmosQueryRequestOptions();
    String byId = "SELECT * FROM c WHERE c.id = '" + id + "'";
    assertEquals(expected, ids(container.queryItems(byId, everywhere, JsonNode.class)));
    String count = "SELECT VALUE COUNT(1) FROM c WHERE c.id = '" + id + "'";
    assertEquals(expected.size(), container.queryItems(count, everywhere, Integer.class).iterator().next());
    assertEquals(expected, ids(container.readAllItems(KEY, JsonNode.class)));
    List<CosmosItemIdentity> two =
        List.of(new CosmosItemIdentity(KEY, id), new CosmosItemIdentity(KEY, "another"));
    assertEquals(expected, ids(container.readMany(two, JsonNode.class).getResults()));
    CosmosBatch batch = CosmosBatch.createCosmosBatch(KEY);
    batch.readItemOperation(id);
    assertEquals(there ? 200 : 404, container.executeCosmosBatch(batch).getResults().get(0).getStatusCode());
    CosmosChangeFeedRequestOptions changes =
        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forLogicalPartition(KEY));
    assertEquals(expected, ids(container.queryChangeFeed(changes, JsonNode.class)));
  }

  static Stream<Arguments> lifetimes() {
    return Stream.of(
        Arguments.of(100, "{'id': 'x', 'pk': 'a'}", 100),
        Arguments.of(100, "{'id': 'x', 'pk': 'a', 'ttl': 40}", 40),
        Arguments.of(100, "{'id': 'x', 'pk': 'a', 'ttl': 250}", 250),
        Arguments.of(-1, "{'id': 'x', 'pk': 'a', 'ttl': 40}", 40));
  }

  @ParameterizedTest
  @MethodSource("lifetimes")
  void anItemIsGoneFromEveryReadAtTheVerySecond(int defaultTtl, String json, int lifetime) throws Exception {
    CosmosContainer container = newContainer(defaultTtl);
    server.clock().freeze();
    container.createItem(item(json));
    server.clock().advance(lifetime - 1);
    assertThere(container, "x", true);
    server.clock().advance(1);
    assertThere(container, "x", false);
    server.clock().advance(1);
    assertThere(container, "x", false);
  }

  static Stream<Arguments> endless() {
    return Stream.of(
        Arguments.of(null, "{'id': 'x', 'pk': 'a', 'ttl': 40}"),
        Arguments.of(-1, "{'id': 'x', 'pk': 'a'}"),
        Arguments.of(100, "{'id': 'x', 'pk': 'a', 'ttl': -1}"));
  }

  @ParameterizedTest
  @MethodSource("endless")
  void anItemWithoutALifetimeStays(Integer defaultTtl, String json) throws Exception {
    CosmosContainer container = newContainer(defaultTtl);
    server.clock().freeze();
    container.createItem(item(json));
    server.clock().advance(315_360_000);
    assertThere(container, "x", true);
  }

  @Test
  void everyWriteStartsTheCountdownAgain() throws Exception {
    CosmosContainer container = newContainer(10);
    server.clock().freeze();
    container.createItem(item("{'id': 'x', 'pk': 'a'}"));
    server.clock().advance(9);
    container.upsertItem(item("{'id': 'x', 'pk': 'a', 'n': 1}"));
    server.clock().advance(9);
    container.patchItem("x", KEY, CosmosPatchOperations.create().increment("/n", 1), JsonNode.class);
    server.clock().advance(9);
    assertThere(container, "x", true);
    server.clock().advance(1);
    assertThere(container, "x", false);
    failure(404, () -> container.replaceItem(item("{'id': 'x', 'pk': 'a'}"), "x", KEY, null));
    failure(404, () -> container.deleteItem("x", KEY, null));
    assertEquals(201, container.createItem(item("{'id': 'x', 'pk': 'a'}")).getStatusCode());
  }

  @Test
  void whatHasExpiredStaysGoneWhenTheDefaultIsTakenAway() throws Exception {
    CosmosContainer container = newContainer(10);
    server.clock().freeze();
    container.createItem(item("{'id': 'x', 'pk': 'a'}"));
    server.clock().advance(10);
    CosmosContainerProperties definition = container.read().getProperties();
    container.replace(definition.setDefaultTimeToLiveInSeconds(null));
    assertThere(container, "x", false);
  }

  @Test
  void badLifetimesAreRefused() {
    CosmosContainer container = newContainer(-1);
    for (String ttl : List.of("0", "-2", "2147483648", "1.5", "true", "null", "'60'")) {
      failure(400, () -> container.createItem(item("{'id': 'x', 'pk': 'a', 'ttl': " + ttl + "}")));
    }
    assertEquals(List.of(), Documents.ids(container.readAllItems(KEY, JsonNode.class)));
  }
}
