package lapse;

import static lapse.support.Documents.ids;
import static lapse.support.Documents.item;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The change feed, read by pulling. */
class ChangeFeedTest {
  @RegisterExtension static final Server server = new Server();

  /** What the feed shows from there until it says that there is no more now, and where it goes on. */
  private static final class Reading {
    final List<JsonNode> changes = new ArrayList<>();
    String continuation;

    Reading(CosmosContainer container, CosmosChangeFeedRequestOptions from) {
      for (FeedResponse<JsonNode> page : container.queryChangeFeed(from, JsonNode.class).iterableByPage()) {
        changes.addAll(page.getResults());
        continuation = page.getContinuationToken();
      }
    }

    Set<String> idSet() {
      Set<String> set = Set.copyOf(ids(changes));
      assertEquals(changes.size(), set.size());
      return set;
    }
  }

  private static void create(CosmosContainer container, int from, int to) {
    for (int i = from; i < to; ++i) container.createItem(item("{'id': '%d', 'pk': 'k%d'}", i, i % 7));
  }

  @Test
  void theFeedOfAllPartitionsGoesOnWhereItEndedAfterANewClientWasMade() {
    CosmosContainer container = server.newWideContainer("/pk");
    create(container, 0, 30);
    CosmosChangeFeedRequestOptions fromBeginning =
        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()).setMaxItemCount(4);
    Reading first = new Reading(container, fromBeginning);
    assertEquals(30, first.idSet().size());

    create(container, 30, 33);
    container.upsertItem(item("{'id': '0', 'pk': 'k0', 'again': true}"));
    try (CosmosClient client = server.builder().buildClient()) {
      CosmosContainer same = client.getDatabase(server.database().getId()).getContainer(container.getId());
      Reading second =
          new Reading(
              same, CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(first.continuation));
      assertEquals(Set.of("30", "31", "32", "0"), second.idSet());
    }
  }

  @Test
  void theFeedBeginsNowOrAtATimeOrForAKey() throws Exception {
    CosmosContainer container = server.newWideContainer("/pk");
    long second = server.clock().freeze();
    create(container, 0, 10);
    Reading now =
        new Reading(container, CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()));
    assertEquals(List.of(), now.changes);
    server.clock().advance(10);
    create(container, 10, 20);
    assertEquals(
        10,
        new Reading(
                container, CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(now.continuation))
            .idSet()
            .size());
    assertEquals(
        10,
        new Reading(
                container,
                CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(
                    Instant.ofEpochSecond(second + 5), FeedRange.forFullRange()))
            .idSet()
            .size());
    assertEquals(
        Set.of("3", "10", "17"),
        new Reading(
                container,
                CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                    FeedRange.forLogicalPartition(new PartitionKey("k3"))))
            .idSet());
  }

  @Test
  void theRangesOfTheFeedShareTheChanges() {
    CosmosContainer container = server.newWideContainer("/pk");
    create(container, 0, 21);
    List<String> all = new ArrayList<>();
    for (FeedRange range : container.getFeedRanges()) {
      all.addAll(
          new Reading(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range)).idSet());
    }
    assertEquals(21, all.size());
    assertEquals(21, Set.copyOf(all).size());
  }

  @Test
  void allVersionsAndDeletesShowWhatHappenedAndWhatExpired() throws Exception {
    CosmosContainerProperties definition = new CosmosContainerProperties(server.newId(), "/pk");
    definition.setDefaultTimeToLiveInSeconds(-1);
    definition.setChangeFeedPolicy(ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(10)));
    CosmosContainer container = server.newContainer(definition);
    server.clock().freeze();
    CosmosChangeFeedRequestOptions fromNow =
        CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()).allVersionsAndDeletes();
    String start = new Reading(container, fromNow).continuation;

    container.createItem(item("{'id': '1', 'pk': 'a', 'n': 1}"));
    container.upsertItem(item("{'id': '1', 'pk': 'a', 'n': 2}"));
    container.deleteItem("1", new PartitionKey("a"), null);
    container.createItem(item("{'id': '2', 'pk': 'a', 'ttl': 5}"));
    server.clock().advance(5);
    // The write over an expired item puts the expiry into the feed before the create.
    container.createItem(item("{'id': '2', 'pk': 'a'}"));

    Reading all =
        new Reading(
            container,
            CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(start).allVersionsAndDeletes());
    List<String> operations =
        all.changes.stream().map(change -> change.at("/metadata/operationType").asText()).toList();
    assertEquals(List.of("create", "replace", "delete", "create", "delete", "create"), operations);
    assertEquals(2, all.changes.get(1).at("/current/n").asInt());
    assertTrue(all.changes.get(4).at("/metadata/timeToLiveExpired").asBoolean());
  }
}
