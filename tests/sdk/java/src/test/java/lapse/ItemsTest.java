package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.item;
import static lapse.support.Documents.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import lapse.support.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Items: create, read, upsert, replace, delete, with keys of every type and with conditions. */
class ItemsTest {
  @RegisterExtension static final Server server = new Server();
  private static final PartitionKey ADA = new PartitionKey("ada");
  private static CosmosContainer sessions;

  /** What a user would write. */
  public static class Session {
    public String id;
    public String user;
    public int visits;

    public Session() {}

    Session(String id, String user, int visits) {
      this.id = id;
      this.user = user;
      this.visits = visits;
    }
  }

  @BeforeAll
  static void makeContainer() {
    sessions = server.newContainer("/user");
  }

  @Test
  void anItemIsCreatedReadUpsertedReplacedAndDeleted() {
    CosmosItemResponse<Session> created = sessions.createItem(new Session("s1", "ada", 1));
    assertEquals(201, created.getStatusCode());
    assertTrue(created.getRequestCharge() > 0);
    assertEquals(1, sessions.readItem("s1", ADA, Session.class).getItem().visits);
    failure(409, () -> sessions.createItem(new Session("s1", "ada", 1)));

    assertEquals(200, sessions.upsertItem(new Session("s1", "ada", 2)).getStatusCode());
    assertEquals(201, sessions.upsertItem(new Session("s2", "ada", 1)).getStatusCode());
    sessions.replaceItem(new Session("s1", "ada", 3), "s1", ADA, null);
    assertEquals(3, sessions.readItem("s1", ADA, Session.class).getItem().visits);

    assertEquals(204, sessions.deleteItem("s1", ADA, null).getStatusCode());
    failure(404, () -> sessions.readItem("s1", ADA, Session.class));
    failure(404, () -> sessions.replaceItem(new Session("s1", "ada", 4), "s1", ADA, null));
    failure(404, () -> sessions.deleteItem("s1", ADA, null));
  }

  @Test
  void aWriteAnswersWithTheItemOnlyWhenItIsAskedTo() {
    CosmosItemRequestOptions without = new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(false);
    assertNull(sessions.createItem(new Session("quiet", "ada", 1), ADA, without).getItem());
    CosmosItemRequestOptions with = new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(true);
    assertEquals(2, sessions.upsertItem(new Session("quiet", "ada", 2), ADA, with).getItem().visits);
  }

  static Stream<Arguments> kindsOfKeys() {
    return Stream.of(
        Arguments.of("{'id': '1', 'pk': 'text'}", new PartitionKey("text")),
        Arguments.of("{'id': '1', 'pk': ''}", new PartitionKey("")),
        Arguments.of("{'id': '1', 'pk': 'Zoë 😀'}", new PartitionKey("Zoë 😀")),
        Arguments.of("{'id': '1', 'pk': 42}", new PartitionKey(42)),
        Arguments.of("{'id': '1', 'pk': -0.5}", new PartitionKey(-0.5)),
        Arguments.of("{'id': '1', 'pk': true}", new PartitionKey(true)),
        Arguments.of("{'id': '1', 'pk': null}", new PartitionKeyBuilder().addNullValue().build()),
        Arguments.of("{'id': '1'}", PartitionKey.NONE));
  }

  @ParameterizedTest
  @MethodSource("kindsOfKeys")
  void everyKindOfKeyAddressesItsItem(String json, PartitionKey key) {
    for (PartitionKeyDefinitionVersion version : PartitionKeyDefinitionVersion.values()) {
      PartitionKeyDefinition definition =
          new PartitionKeyDefinition().setPaths(List.of("/pk")).setVersion(version);
      CosmosContainer container = server.newWideContainer(new CosmosContainerProperties(server.newId(), definition));
      ObjectNode item = item(json);
      container.createItem(item, key, null);
      assertEquals(item, plain(container.readItem("1", key, JsonNode.class).getItem()));
      container.createItem(item("{'id': '2', 'pk': 'another'}"));
      failure(404, () -> container.readItem("2", key, JsonNode.class));
      assertEquals(200, container.upsertItem(item).getStatusCode());
      container.deleteItem("1", key, null);
      failure(404, () -> container.readItem("1", key, JsonNode.class));
    }
  }

  @Test
  void idsThatUrlsMustEscapeAreFound() {
    for (String id : List.of("a b", "100%", "a+b", "ä", "日本", "😀", "a:b?c&d=e", "'", "x\"y", "~!$()*,;@")) {
      ObjectNode item = item("{'user': 'ada'}").put("id", id);
      sessions.createItem(item);
      assertEquals(id, sessions.readItem(id, ADA, JsonNode.class).getItem().get("id").asText());
      sessions.deleteItem(id, ADA, null);
    }
  }

  @Test
  void aWriteWithAnEtagGoesAheadOnlyWhileTheItemIsTheSame() {
    CosmosItemResponse<ObjectNode> created = sessions.createItem(item("{'id': 'cond', 'user': 'ada'}"));
    CosmosItemRequestOptions ifUnchanged = new CosmosItemRequestOptions().setIfMatchETag(created.getETag());
    CosmosItemResponse<ObjectNode> replaced =
        sessions.replaceItem(item("{'id': 'cond', 'user': 'ada', 'n': 1}"), "cond", ADA, ifUnchanged);
    assertNotEquals(created.getETag(), replaced.getETag());
    failure(
        412,
        () -> sessions.replaceItem(item("{'id': 'cond', 'user': 'ada', 'n': 2}"), "cond", ADA, ifUnchanged));
    failure(412, () -> sessions.upsertItem(item("{'id': 'cond', 'user': 'ada', 'n': 2}"), ADA, ifUnchanged));
    failure(412, () -> sessions.deleteItem("cond", ADA, ifUnchanged));
    assertEquals(1, sessions.readItem("cond", ADA, JsonNode.class).getItem().get("n").asInt());
  }

  @Test
  void aReadWithAnEtagSaysWhetherTheItemHasChanged() {
    CosmosItemResponse<ObjectNode> created = sessions.createItem(item("{'id': 'fresh', 'user': 'ada'}"));
    CosmosItemRequestOptions ifChanged = new CosmosItemRequestOptions().setIfNoneMatchETag(created.getETag());
    assertEquals(304, sessions.readItem("fresh", ADA, ifChanged, JsonNode.class).getStatusCode());
    sessions.upsertItem(item("{'id': 'fresh', 'user': 'ada', 'n': 1}"));
    assertEquals(200, sessions.readItem("fresh", ADA, ifChanged, JsonNode.class).getStatusCode());
  }

  @Test
  void badItemsAreRefusedWithAReasonAndNothingIsWritten() {
    CosmosException wrongKey =
        failure(400, () -> sessions.createItem(item("{'id': 'bad', 'user': 'ada'}"), new PartitionKey("bob"), null));
    assertEquals(1001, wrongKey.getSubStatusCode());
    failure(400, () -> sessions.createItem(item("{'id': 'bad', 'user': 'ada', 'ttl': 0}")));
    failure(400, () -> sessions.createItem(item("{'id': 'a/b', 'user': 'ada'}")));
    ObjectNode large = item("{'id': 'bad', 'user': 'ada'}").put("text", "x".repeat(2 * 1024 * 1024));
    failure(413, () -> sessions.createItem(large));
    failure(404, () -> sessions.readItem("bad", ADA, JsonNode.class));
  }

  @Test
  void aUniqueKeyIsHeld() {
    CosmosContainerProperties definition = new CosmosContainerProperties(server.newId(), "/user");
    definition.setUniqueKeyPolicy(
        new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/email")))));
    CosmosContainer container = server.newContainer(definition);
    container.createItem(item("{'id': '1', 'user': 'ada', 'email': 'a@b'}"));
    failure(409, () -> container.createItem(item("{'id': '2', 'user': 'ada', 'email': 'a@b'}")));
    container.createItem(item("{'id': '2', 'user': 'bob', 'email': 'a@b'}"));
  }
}
