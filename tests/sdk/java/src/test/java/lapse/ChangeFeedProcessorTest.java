package lapse;

import static lapse.support.Documents.item;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import lapse.support.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The change feed processor: hosts that share the partitions by leases. */
class ChangeFeedProcessorTest {
  @RegisterExtension static final Server server = new Server();
  private static final int WAIT_SECONDS_MAX = 60;

  /** A change, and the host that was given it. */
  private record Seen(String host, ChangeFeedProcessorItem change) {
    String id() {
      return change.getCurrent().get("id").asText();
    }
  }

  private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
  private final List<ChangeFeedProcessor> started = new ArrayList<>();

  @AfterEach
  void stopAll() {
    for (ChangeFeedProcessor processor : started) {
      if (processor.isStarted()) processor.stop().block(Duration.ofSeconds(WAIT_SECONDS_MAX));
    }
  }

  private static CosmosAsyncContainer async(CosmosContainer container) {
    return server.asyncClient().getDatabase(server.database().getId()).getContainer(container.getId());
  }

  private static ChangeFeedProcessorOptions options() {
    return new ChangeFeedProcessorOptions()
        .setFeedPollDelay(Duration.ofMillis(50))
        .setLeaseAcquireInterval(Duration.ofMillis(200))
        .setLeaseRenewInterval(Duration.ofMillis(500))
        .setLeaseExpirationInterval(Duration.ofSeconds(3));
  }

  private ChangeFeedProcessorBuilder host(String name, CosmosContainer feed, CosmosContainer leases) {
    return new ChangeFeedProcessorBuilder()
        .hostName(name)
        .feedContainer(async(feed))
        .leaseContainer(async(leases));
  }

  private ChangeFeedProcessor start(ChangeFeedProcessorBuilder builder) {
    ChangeFeedProcessor processor = builder.buildChangeFeedProcessor();
    processor.start().block(Duration.ofSeconds(WAIT_SECONDS_MAX));
    started.add(processor);
    return processor;
  }

  private ChangeFeedProcessor startLatest(String name, CosmosContainer feed, CosmosContainer leases) {
    return start(
        host(name, feed, leases)
            .options(options().setStartFromBeginning(true))
            .handleLatestVersionChanges(
                changes -> changes.forEach(change -> seen.add(new Seen(name, change)))));
  }

  private Seen nextSeen() throws InterruptedException {
    Seen next = seen.poll(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
    assertTrue(next != null, "no change came");
    return next;
  }

  private static Set<String> range(int from, int to) {
    Set<String> ids = new HashSet<>();
    for (int i = from; i < to; ++i) ids.add(String.valueOf(i));
    return ids;
  }

  private static Set<String> minus(Set<String> ids, Set<String> others) {
    Set<String> left = new HashSet<>(ids);
    left.removeAll(others);
    return left;
  }

  /** Waits for changes of exactly these items, each once. */
  private void assertSees(int from, int to) throws InterruptedException {
    Set<String> wanted = range(from, to);
    while (!wanted.isEmpty()) {
      String id = nextSeen().id();
      assertTrue(wanted.remove(id), "item " + id + " was not expected");
    }
  }

  private static void create(CosmosContainer container, int from, int to) {
    for (int i = from; i < to; ++i) container.createItem(item("{'id': '%d', 'pk': 'k%d'}", i, i));
  }

  private static int leases(CosmosContainer leases) {
    return (int)
        leases
            .queryItems(
                "SELECT * FROM c WHERE IS_DEFINED(c.LeaseToken)", new CosmosQueryRequestOptions(), JsonNode.class)
            .stream()
            .count();
  }

  @Test
  void aHostSeesEveryChangeOnceAndGoesOnAfterAStop() throws Exception {
    CosmosContainer feed = server.newWideContainer("/pk");
    CosmosContainer leases = server.newContainer("/id");
    create(feed, 0, 20);
    ChangeFeedProcessor first = startLatest("first", feed, leases);
    assertSees(0, 20);
    assertEquals(3, leases(leases));
    create(feed, 20, 30);
    assertSees(20, 30);
    first.stop().block(Duration.ofSeconds(WAIT_SECONDS_MAX));

    create(feed, 30, 40);
    startLatest("second", feed, leases);
    // Changes whose handling was not noted down when the first host stopped come again, before the new ones.
    Set<String> ids = new HashSet<>();
    while (!ids.containsAll(range(30, 40))) ids.add(nextSeen().id());
    assertEquals(Set.of(), minus(ids, range(20, 40)));
  }

  @Test
  void twoHostsShareThePartitions() throws Exception {
    CosmosContainer feed = server.newWideContainer("/pk");
    CosmosContainer leases = server.newContainer("/id");
    startLatest("one", feed, leases);
    startLatest("two", feed, leases);
    // Both hosts get partitions sooner or later. While leases change hands a change may come twice.
    Set<String> hosts = new HashSet<>();
    Set<String> ids = new HashSet<>();
    int made = 0;
    while (hosts.size() < 2 && made < 600) {
      create(feed, made, made + 20);
      made += 20;
      while (ids.size() < made) {
        Seen next = nextSeen();
        hosts.add(next.host());
        ids.add(next.id());
      }
    }
    assertEquals(Set.of("one", "two"), hosts);
  }

  @Test
  void aHostSeesAllVersionsDeletesAndExpiries() throws Exception {
    CosmosContainerProperties definition = new CosmosContainerProperties(server.newId(), "/pk");
    definition.setDefaultTimeToLiveInSeconds(-1);
    definition.setChangeFeedPolicy(ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(10)));
    CosmosContainer feed = server.newContainer(definition);
    CosmosContainer leases = server.newContainer("/id");
    ChangeFeedProcessor processor =
        start(
            host("all", feed, leases)
                .options(options())
                .handleAllVersionsAndDeletesChanges(
                    (List<ChangeFeedProcessorItem> changes) ->
                        changes.forEach(change -> seen.add(new Seen("all", change)))));
    // It begins "now", which is when it first asks: from its first lease on nothing is missed.
    processor.getCurrentState().block(Duration.ofSeconds(WAIT_SECONDS_MAX));
    List<String> operations = new ArrayList<>();
    for (int i = 0; operations.isEmpty() && i < 600; ++i) {
      feed.upsertItem(item("{'id': 'first', 'pk': 'a'}"));
      Seen first = seen.poll(100, TimeUnit.MILLISECONDS);
      if (first != null) operations.add(first.change().getChangeFeedMetaData().getOperationType().toString());
    }
    feed.upsertItem(item("{'id': 'mark', 'pk': 'a'}"));
    Seen next = nextSeen();
    while (!next.change().getCurrent().at("/id").asText().equals("mark")) next = nextSeen();

    feed.createItem(item("{'id': 'x', 'pk': 'a'}"));
    feed.deleteItem("x", new PartitionKey("a"), null);
    assertEquals("CREATE", nextSeen().change().getChangeFeedMetaData().getOperationType().toString());
    assertEquals("DELETE", nextSeen().change().getChangeFeedMetaData().getOperationType().toString());
    feed.createItem(item("{'id': 'y', 'pk': 'a', 'ttl': 100}"));
    assertEquals("CREATE", nextSeen().change().getChangeFeedMetaData().getOperationType().toString());
    server.clock().advance(100);
    assertTrue(nextSeen().change().getChangeFeedMetaData().isTimeToLiveExpired());
  }
}
