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
import com.azure.cosmos.models.ChangeFeedProcessorState;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import lapse.support.Processors;
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
            .options(Processors.quickOptions().setStartFromBeginning(true))
            .handleLatestVersionChanges(
                changes -> changes.forEach(change -> seen.add(new Seen(name, change)))));
  }

  private static void awaitOrFail(CountDownLatch latch) {
    try {
      assertTrue(latch.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
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

  /** How many changes no host has dealt with yet, by the SDK's own estimate. */
  private static int lag(ChangeFeedProcessor processor) {
    return processor.getCurrentState().block(Duration.ofSeconds(WAIT_SECONDS_MAX)).stream()
        .mapToInt(ChangeFeedProcessorState::getEstimatedLag)
        .sum();
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
    // Changes whose handling was not noted down when the first host stopped come again.
    Set<String> left = range(30, 40);
    while (!left.isEmpty()) left.remove(nextSeen().id());
  }

  @Test
  void theLagOfAHostThatIsBusyIsEstimated() throws Exception {
    CosmosContainer feed = server.newContainer("/pk");
    CosmosContainer leases = server.newContainer("/id");
    create(feed, 0, 10);
    CountDownLatch goOn = new CountDownLatch(1);
    ChangeFeedProcessor busy =
        start(
            host("busy", feed, leases)
                .options(Processors.quickOptions().setStartFromBeginning(true))
                .handleLatestVersionChanges(
                    changes -> {
                      changes.forEach(change -> seen.add(new Seen("busy", change)));
                      awaitOrFail(goOn);
                    }));
    assertSees(0, 10);
    // The SDK counts from the first change of the partition, so one less than there are.
    assertEquals(9, lag(busy));
    goOn.countDown();
  }

  @Test
  void twoHostsShareThePartitionsAndOneTakesOverWhenTheOtherStops() throws Exception {
    CosmosContainer feed = server.newWideContainer("/pk");
    CosmosContainer leases = server.newContainer("/id");
    ChangeFeedProcessor one = startLatest("one", feed, leases);
    startLatest("two", feed, leases);
    Rounds rounds = new Rounds(feed);
    // Both hosts get partitions sooner or later.
    rounds.untilSeenBy(Set.of("one", "two"));
    // A host that was stopped may still finish what it had begun.
    one.stop().block(Duration.ofSeconds(WAIT_SECONDS_MAX));
    rounds.untilSeenBy(Set.of("two"));
  }

  /** Makes items, twenty in a round, and waits for their changes. While leases change hands, one may come twice. */
  private final class Rounds {
    private static final int ROUNDS_MAX = 200;
    private final CosmosContainer feed;
    private int made = 0;

    Rounds(CosmosContainer feed) {
      this.feed = feed;
    }

    void untilSeenBy(Set<String> wanted) throws InterruptedException {
      Set<String> hosts = Set.of();
      for (int round = 0; round < ROUNDS_MAX && !hosts.equals(wanted); ++round) hosts = seenBy();
      assertEquals(wanted, hosts);
    }

    private Set<String> seenBy() throws InterruptedException {
      create(feed, made, made + 20);
      Set<String> left = range(made, made + 20);
      made += 20;
      Set<String> hosts = new HashSet<>();
      while (!left.isEmpty()) {
        Seen next = nextSeen();
        if (left.remove(next.id())) hosts.add(next.host());
      }
      return hosts;
    }
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
                .options(Processors.quickOptions())
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
