package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.ids;
import static lapse.support.Documents.item;
import static lapse.support.Documents.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import lapse.support.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries over one key and over three physical partitions, whole and page by page. */
class QueriesTest {
  @RegisterExtension static final Server server = new Server();
  private static final int ITEMS = 60;
  private static final List<String> EMPTY_AGGREGATES =
      List.of(
          "MAX(c.n) FROM c WHERE c.n > 100",
          "AVG(c.n) FROM c WHERE c.n > 100",
          "MIN(c.none) FROM c",
          "SUM(c.pk) FROM c");
  private static CosmosContainer wide;

  @BeforeAll
  static void makeItems() {
    CosmosContainerProperties definition = new CosmosContainerProperties(server.newId(), "/pk");
    // For ORDER BY of both, one upwards and one downwards.
    definition.setIndexingPolicy(
        new IndexingPolicy()
            .setIncludedPaths(List.of(new IncludedPath("/*")))
            .setCompositeIndexes(
                List.of(
                    List.of(
                        new CompositePath().setPath("/m").setOrder(CompositePathSortOrder.ASCENDING),
                        new CompositePath().setPath("/n").setOrder(CompositePathSortOrder.DESCENDING)))));
    wide = server.newWideContainer(definition);
    // n is unique and not in the order of creation; m has ten values, so that ORDER BY meets equal ones.
    for (int i = 0; i < ITEMS; ++i) {
      wide.createItem(
          item("{'id': '%d', 'pk': 'k%d', 'n': %d, 'm': %d, 's': 's%02d', 'tags': ['t%d', 'all']}",
              i, i % 12, i * 7 % ITEMS, i % 10, i, i % 3));
    }
  }

  private static List<JsonNode> ask(CosmosContainer container, String query, CosmosQueryRequestOptions options) {
    return container.queryItems(query, options, JsonNode.class).stream().toList();
  }

  private static List<JsonNode> ask(String query) {
    return ask(wide, query, new CosmosQueryRequestOptions());
  }

  @Test
  void aQueryOverAllPartitionsFindsEverything() {
    assertEquals(ITEMS, ask("SELECT * FROM c").size());
    assertEquals(6, ask("SELECT * FROM c WHERE c.m = 3").size());
    assertEquals(20, ask("SELECT c.id, t FROM c JOIN t IN c.tags WHERE t = 't1'").size());
  }

  @Test
  void aQueryOverOneKeyFindsItsItems() {
    CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey("k5"));
    assertEquals(List.of("5", "17", "29", "41", "53"), ids(ask(wide, "SELECT * FROM c", options)));
    assertEquals(
        List.of("53", "41", "29", "17", "5"), ids(ask(wide, "SELECT * FROM c ORDER BY c.s DESC", options)));
    assertEquals(List.of("5"), texts(ask(wide, "SELECT VALUE COUNT(1) FROM c", options)));
    assertEquals(5, ids(wide.readAllItems(new PartitionKey("k5"), JsonNode.class)).size());
  }

  @Test
  void parametersOfEveryTypeArrive() {
    SqlQuerySpec query =
        new SqlQuerySpec(
            "SELECT VALUE c.id FROM c WHERE c.m = @m AND c.pk IN (@a, @b) AND ARRAY_CONTAINS(@list, c.n)",
            List.of(
                new SqlParameter("@m", 5),
                new SqlParameter("@a", "k5"),
                new SqlParameter("@b", "k3"),
                new SqlParameter("@list", List.of(5 * 7 % ITEMS, 15 * 7 % ITEMS))));
    Set<String> found = new TreeSet<>();
    for (JsonNode id : wide.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)) found.add(id.asText());
    assertEquals(Set.of("5", "15"), found);
  }

  /** The SDK's own merging, with a key too: other SDKs give no result, and `{}` for the third. */
  @Test
  void aggregatesOverNothingAreNullInThisSdk() {
    CosmosQueryRequestOptions ofOneKey = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey("k5"));
    for (CosmosQueryRequestOptions options : List.of(new CosmosQueryRequestOptions(), ofOneKey)) {
      for (String value : EMPTY_AGGREGATES) {
        String query = "SELECT VALUE " + value;
        assertEquals(List.of("null"), texts(ask(wide, query, options)), query);
        NullPointerException failure =
            assertThrows(
                NullPointerException.class, () -> wide.queryItems(query, options, Object.class).forEach(one -> {}));
        assertEquals("iterator returned a null value", failure.getMessage(), query);
      }
      assertEquals("[{\"m\":{}}]", ask(wide, "SELECT MAX(c.n) AS m FROM c WHERE c.n > 100", options).toString());
    }
  }

  @Test
  void countIfIsMoreThanThisSdkCanMerge() {
    CosmosException failure = failure(400, () -> ask("SELECT VALUE COUNTIF(c.n > 5) FROM c"));
    assertTrue(
        failure.getShortMessage().contains("Query contained CountIf, which the calling client does not support."),
        failure.getShortMessage());
  }

  @Test
  void orderByMergesThePartitions() {
    List<Integer> expected = IntStream.range(0, ITEMS).boxed().toList();
    assertEquals(
        expected, ask("SELECT * FROM c ORDER BY c.n").stream().map(found -> found.get("n").asInt()).toList());
    List<JsonNode> byTwo = ask("SELECT c.m, c.n FROM c ORDER BY c.m ASC, c.n DESC");
    for (int i = 1; i < byTwo.size(); ++i) {
      int before = byTwo.get(i - 1).get("m").asInt() * 1000 - byTwo.get(i - 1).get("n").asInt();
      assertTrue(before < byTwo.get(i).get("m").asInt() * 1000 - byTwo.get(i).get("n").asInt());
    }
    assertEquals(List.of("9", "9", "9"), texts(ask("SELECT TOP 3 VALUE c.m FROM c ORDER BY c.m DESC")));
    assertEquals(List.of("5", "6"), texts(ask("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 2")));
  }

  @Test
  void aggregatesMergeThePartitions() {
    assertEquals(List.of("60"), texts(ask("SELECT VALUE COUNT(1) FROM c")));
    // The SDK adds the sums of the partitions as doubles.
    assertEquals(1770.0, ask("SELECT VALUE SUM(c.n) FROM c").get(0).asDouble());
    assertEquals(29.5, ask("SELECT VALUE AVG(c.n) FROM c").get(0).asDouble());
    assertEquals(List.of("0"), texts(ask("SELECT VALUE MIN(c.n) FROM c")));
    assertEquals(List.of("59"), texts(ask("SELECT VALUE MAX(c.n) FROM c")));
    assertEquals(
        List.of("{\"low\":0,\"high\":59,\"count\":60}"),
        texts(ask("SELECT MIN(c.n) AS low, MAX(c.n) AS high, COUNT(1) AS count FROM c")));
    assertEquals(List.of("10"), texts(ask("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.m FROM c)")));
  }

  @Test
  void groupsAndDistinctMergeThePartitions() {
    List<JsonNode> groups = ask("SELECT c.m, COUNT(1) AS count, SUM(c.n) AS sum FROM c GROUP BY c.m");
    assertEquals(10, groups.size());
    assertEquals(1770, groups.stream().mapToInt(group -> group.get("sum").asInt()).sum());
    assertTrue(groups.stream().allMatch(group -> group.get("count").asInt() == 6));
    assertEquals(10, ask("SELECT DISTINCT VALUE c.m FROM c").size());
    assertEquals(
        IntStream.range(0, 10).boxed().toList(),
        ask("SELECT DISTINCT VALUE c.m FROM c ORDER BY c.m").stream().map(JsonNode::asInt).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM c",
        "SELECT * FROM c WHERE c.n > 10",
        "SELECT * FROM c ORDER BY c.n",
        "SELECT * FROM c ORDER BY c.m",
        "SELECT * FROM c ORDER BY c.m DESC",
        "SELECT * FROM c ORDER BY c.m DESC, c.n ASC",
        "SELECT DISTINCT VALUE c.s FROM c ORDER BY c.s",
        "SELECT TOP 25 * FROM c ORDER BY c.s DESC",
        "SELECT * FROM c ORDER BY c.m OFFSET 7 LIMIT 30",
      })
  void everyPageIsReadByANewClient(String query) {
    List<String> whole = texts(ask(query));
    List<String> paged = new ArrayList<>();
    String continuation = null;
    do {
      try (CosmosClient client = server.builder().buildClient()) {
        CosmosContainer container = client.getDatabase(server.database().getId()).getContainer(wide.getId());
        Iterator<FeedResponse<JsonNode>> pages =
            container
                .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                .iterableByPage(continuation, 11)
                .iterator();
        FeedResponse<JsonNode> page = pages.next();
        paged.addAll(texts(page.getResults()));
        continuation = page.getContinuationToken();
      }
    } while (continuation != null);
    assertEquals(whole, paged);
  }

  @Test
  void feedRangesShareTheItems() {
    List<FeedRange> ranges = wide.getFeedRanges();
    assertEquals(3, ranges.size());
    List<String> all = new ArrayList<>();
    for (FeedRange range : ranges) {
      all.addAll(ids(ask(wide, "SELECT * FROM c", new CosmosQueryRequestOptions().setFeedRange(range))));
    }
    assertEquals(ITEMS, all.size());
    assertEquals(ITEMS, Set.copyOf(all).size());
  }

  @Test
  void metricsAreToldWhenTheyAreAskedFor() {
    CosmosQueryRequestOptions options =
        new CosmosQueryRequestOptions().setQueryMetricsEnabled(true).setIndexMetricsEnabled(true);
    FeedResponse<JsonNode> page =
        wide.queryItems("SELECT * FROM c WHERE c.n > 10", options, JsonNode.class).iterableByPage().iterator().next();
    assertTrue(page.getRequestCharge() > 0);
    assertNotNull(page.getCosmosDiagnostics());
    assertTrue(page.getCosmosDiagnostics().toString().contains("retrievedDocumentCount"));
  }

  @Test
  void aBadQueryIsRefusedWithItsPlace() {
    CosmosException refused = failure(400, () -> ask("SELECT * FORM c"));
    assertTrue(refused.getMessage().contains("SC1001"), refused.getShortMessage());
    failure(400, () -> ask("SELECT NO_SUCH(c.n) FROM c"));
  }
}
