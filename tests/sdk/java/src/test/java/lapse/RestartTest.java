package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.ids;
import static lapse.support.Documents.item;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import lapse.support.Processors;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The server is killed and started again while a client uses it. */
class RestartTest {
  @RegisterExtension static final Server server = new Server().onDisk();

  @Test
  void theSameClientGoesOnAndEverythingAcknowledgedIsThere() throws Exception {
    CosmosContainer container = server.newWideContainer("/pk");
    for (int i = 0; i < 20; ++i) container.createItem(item("{'id': '%d', 'pk': 'k%d'}", i, i));
    server.killAndStartAgain();
    assertEquals(200, container.readItem("7", new PartitionKey("k7"), JsonNode.class).getStatusCode());
    container.createItem(item("{'id': '20', 'pk': 'k20'}"));
    assertEquals(
        21, ids(container.queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)).size());
  }

  @Test
  void whileItIsDownTheUserSeesAnErrorAndAfterwardsItWorks() throws Exception {
    CosmosContainer container = server.newContainer("/pk");
    int port = server.port();
    server.kill();
    assertThrows(CosmosException.class, () -> container.createItem(item("{'id': '1', 'pk': 'a'}")));
    server.startAgain(port);
    assertEquals(201, container.createItem(item("{'id': '1', 'pk': 'a'}")).getStatusCode());
  }

  @Test
  void pagesOfAQueryAndOfTheChangeFeedGoOn() throws Exception {
    CosmosContainer container = server.newWideContainer("/pk");
    for (int i = 0; i < 30; ++i) container.createItem(item("{'id': '%02d', 'pk': 'k%d'}", i, i));
    CosmosQueryRequestOptions options = new CosmosQueryRequestOptions();
    String query = "SELECT * FROM c ORDER BY c.id";
    FeedResponse<JsonNode> page =
        container.queryItems(query, options, JsonNode.class).iterableByPage(12).iterator().next();
    List<String> found = new ArrayList<>(ids(page.getResults()));
    FeedResponse<JsonNode> changes =
        container
            .queryChangeFeed(
                CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange())
                    .setMaxItemCount(3),
                JsonNode.class)
            .iterableByPage()
            .iterator()
            .next();
    List<String> changed = new ArrayList<>(ids(changes.getResults()));

    server.killAndStartAgain();

    for (FeedResponse<JsonNode> next :
        container.queryItems(query, options, JsonNode.class).iterableByPage(page.getContinuationToken(), 12)) {
      found.addAll(ids(next.getResults()));
    }
    assertEquals(30, found.size());
    assertEquals(found.stream().sorted().toList(), found);
    for (FeedResponse<JsonNode> next :
        container
            .queryChangeFeed(
                CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(changes.getContinuationToken()),
                JsonNode.class)
            .iterableByPage()) {
      changed.addAll(ids(next.getResults()));
    }
    assertEquals(30, changed.size());
    assertEquals(Set.copyOf(found), Set.copyOf(changed));
  }

  @Test
  void whatHadExpiredStaysGone() throws Exception {
    CosmosContainerProperties definition = new CosmosContainerProperties(server.newId(), "/pk");
    definition.setDefaultTimeToLiveInSeconds(10);
    CosmosContainer container = server.newContainer(definition);
    server.clock().freeze();
    container.createItem(item("{'id': '1', 'pk': 'a'}"));
    server.clock().advance(5);
    container.createItem(item("{'id': '2', 'pk': 'a'}"));
    server.clock().advance(5);
    server.killAndStartAgain();
    failure(404, () -> container.readItem("1", new PartitionKey("a"), JsonNode.class));
  }

  @Test
  void aChangeFeedProcessorGoesOn() throws Exception {
    CosmosContainer feed = server.newContainer("/pk");
    CosmosContainer leases = server.newContainer("/id");
    CosmosAsyncDatabase database = server.asyncClient().getDatabase(server.database().getId());
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    ChangeFeedProcessor processor =
        new ChangeFeedProcessorBuilder()
            .hostName("host")
            .feedContainer(database.getContainer(feed.getId()))
            .leaseContainer(database.getContainer(leases.getId()))
            .options(Processors.quickOptions().setStartFromBeginning(true))
            .handleLatestVersionChanges(
                changes -> changes.forEach(change -> seen.add(change.getCurrent().get("id").asText())))
            .buildChangeFeedProcessor();
    processor.start().block(Duration.ofSeconds(60));
    feed.createItem(item("{'id': 'before', 'pk': 'a'}"));
    assertEquals("before", seen.poll(60, TimeUnit.SECONDS));
    server.killAndStartAgain();
    feed.createItem(item("{'id': 'after', 'pk': 'a'}"));
    String next = seen.poll(60, TimeUnit.SECONDS);
    // What was not noted down when the server was killed comes again.
    while ("before".equals(next)) next = seen.poll(60, TimeUnit.SECONDS);
    assertEquals("after", next);
    processor.stop().block(Duration.ofSeconds(60));
  }
}
