package lapse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.azure.cosmos.CosmosContainer;
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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

/** The hundred queries that the tests of every SDK ask: tests/sdk/shared/README.md says how they are compared. */
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

  private static void check(JsonNode question) {
    boolean ordered = question.get("ordered").asBoolean();
    String what = question.get("name").asText() + ": " + question.get("query").asText();
    List<String> expected = comparable(question.get("results"), ordered);
    assertEquals(expected, comparable(Documents.all(ask(question).iterableByPage(2)), ordered), what + ", pages of 2");
    assertEquals(expected, comparable(ask(question), ordered), what);
  }

  @Test
  void thereAreAHundred() {
    assertEquals(100, shared.get("queries").size());
  }

  @TestFactory
  Stream<DynamicTest> queries() {
    return StreamSupport.stream(shared.get("queries").spliterator(), false)
        .map(
            question -> {
              String name = question.get("name").asText();
              return DynamicTest.dynamicTest(
                  name,
                  () -> {
                    if (!notOffered.has(name)) {
                      check(question);
                      return;
                    }
                    assertThrows(Throwable.class, () -> check(question), notOffered.get(name).asText());
                  });
            });
  }
}
