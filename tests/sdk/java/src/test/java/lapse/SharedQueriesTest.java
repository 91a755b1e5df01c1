package lapse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.util.CosmosPagedIterable;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import lapse.support.Documents;
import lapse.support.LapsedProcess;
import lapse.support.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The queries that the tests of every SDK ask: tests/sdk/shared/README.md says how they are compared. */
class SharedQueriesTest {
  @RegisterExtension static final Server server = new Server();
  private static final Path TESTS = LapsedProcess.repository().resolve("tests/sdk");
  private static final Map<String, CosmosContainer> containers = new HashMap<>();
  private static JsonNode shared;
  private static JsonNode notOffered;

  @BeforeAll
  static void makeContainers() throws Exception {
    shared = new ObjectMapper().readTree(TESTS.resolve("shared/queries.json").toFile());
    notOffered = new ObjectMapper().readTree(TESTS.resolve("java/not_offered.json").toFile());
    for (Map.Entry<String, JsonNode> set : shared.get("documents").properties()) {
      CosmosContainer container =
          server.newWideContainer(
              new CosmosContainerProperties(set.getKey(), shared.get("partitionKey").asText()));
      for (JsonNode document : set.getValue()) container.createItem(document);
      containers.put(set.getKey(), container);
    }
  }

  /** One text for equal values: neither the order of members nor the form of a number counts. */
  private static String canonical(JsonNode value) {
    if (value.isNumber()) return value.decimalValue().stripTrailingZeros().toPlainString();
    if (value.isArray()) {
      return StreamSupport.stream(value.spliterator(), false).map(SharedQueriesTest::canonical).toList().toString();
    }
    if (!value.isObject()) return value.toString();
    Map<String, String> members = new TreeMap<>();
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      members.put(member.getKey(), canonical(member.getValue()));
    }
    return members.toString();
  }

  private static List<String> comparable(Iterable<JsonNode> results, boolean ordered) {
    List<String> texts = new ArrayList<>();
    for (JsonNode result : results) {
      texts.add(canonical(result.has("_rid") ? Documents.plain(result) : result));
    }
    return ordered ? texts : texts.stream().sorted().toList();
  }

  private static CosmosPagedIterable<JsonNode> ask(JsonNode question) {
    List<SqlParameter> parameters = new ArrayList<>();
    for (JsonNode parameter : question.get("parameters")) {
      parameters.add(new SqlParameter(parameter.get("name").asText(), parameter.get("value")));
    }
    return containers
        .get(question.get("documents").asText())
        .queryItems(
            new SqlQuerySpec(question.get("query").asText(), parameters),
            new CosmosQueryRequestOptions(),
            JsonNode.class);
  }

  /** What the application sees: the results, or the error and what it says. */
  private static String outcome(Supplier<Iterable<JsonNode>> results, boolean ordered) {
    try {
      return comparable(results.get(), ordered).toString();
    } catch (CosmosException error) {
      String message = error.getShortMessage().lines().findFirst().orElse(""); // the rest names the request
      return error.getClass().getName() + " " + error.getStatusCode() + ": " + message;
    } catch (RuntimeException error) {
      return error.getClass().getName() + ": " + error.getMessage();
    }
  }

  /** The answer of the list; where the SDK cannot give it, what it gives by not_offered.json. */
  private static String expected(JsonNode question, String pages, boolean ordered) {
    JsonNode differs = notOffered.path(question.get("name").asText());
    if (!differs.path(pages).path("error").isMissingNode()) return differs.get(pages).get("error").asText();
    JsonNode results = differs.path(pages).path("results");
    return comparable(results.isMissingNode() ? question.get("results") : results, ordered).toString();
  }

  private static void check(JsonNode question) {
    boolean ordered = question.get("ordered").asBoolean();
    String what = question.get("name").asText() + ": " + question.get("query").asText();
    assertEquals(
        expected(question, "pages of 2", ordered),
        outcome(() -> Documents.all(ask(question).iterableByPage(2)), ordered),
        what + ", pages of 2");
    assertEquals(expected(question, "own pages", ordered), outcome(() -> ask(question), ordered), what);
  }

  @Test
  void aHundredAreEqual() {
    assertTrue(shared.get("queries").size() - notOffered.size() >= 100);
    Set<String> names = new HashSet<>();
    shared.get("queries").forEach(question -> names.add(question.get("name").asText()));
    notOffered.fieldNames().forEachRemaining(name -> assertTrue(names.contains(name), name));
  }

  @TestFactory
  Stream<DynamicTest> queries() {
    return StreamSupport.stream(shared.get("queries").spliterator(), false)
        .map(question -> DynamicTest.dynamicTest(question.get("name").asText(), () -> check(question)));
  }
}
