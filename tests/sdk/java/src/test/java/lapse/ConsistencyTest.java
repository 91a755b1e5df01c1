package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.item;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.ReadConsistencyStrategy;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import lapse.support.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Consistency levels of accounts and clients, and the read consistency strategy, which newer clients send instead. */
class ConsistencyTest {
  @RegisterExtension static final Server session = new Server();
  @RegisterExtension static final Server strong = new Server("--consistency", "strong");
  private static final PartitionKey KEY = new PartitionKey("a");
  private static CosmosContainer container;

  @BeforeAll
  static void makeItem() {
    container = session.newContainer("/pk");
    container.createItem(item("{'id': '1', 'pk': 'a'}"));
  }

  @ParameterizedTest
  @EnumSource(names = {"SESSION", "CONSISTENT_PREFIX", "EVENTUAL"})
  void aClientMayAskForLess(ConsistencyLevel level) {
    try (CosmosClient client = session.builder().consistencyLevel(level).buildClient()) {
      CosmosContainer same = client.getDatabase(session.database().getId()).getContainer(container.getId());
      assertEquals(200, same.readItem("1", KEY, JsonNode.class).getStatusCode());
    }
  }

  @Test
  void aReadWithASessionTokenSeesWhatTheTokenHasSeen() {
    String token = container.upsertItem(item("{'id': 'seen', 'pk': 'a'}")).getSessionToken();
    CosmosItemRequestOptions options = new CosmosItemRequestOptions().setSessionToken(token);
    assertEquals(200, container.readItem("seen", KEY, options, JsonNode.class).getStatusCode());
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENTUAL", "SESSION", "LATEST_COMMITTED"})
  void aReadMayChooseItsStrategy(ReadConsistencyStrategy strategy) {
    CosmosItemRequestOptions options = new CosmosItemRequestOptions().setReadConsistencyStrategy(strategy);
    assertEquals(200, container.readItem("1", KEY, options, JsonNode.class).getStatusCode());
    CosmosQueryRequestOptions query = new CosmosQueryRequestOptions().setReadConsistencyStrategy(strategy);
    String one = "SELECT * FROM c WHERE c.id = '1'";
    assertEquals(1, container.queryItems(one, query, JsonNode.class).stream().count());
  }

  @Test
  void aStrongReadOfASessionAccountIsRefusedWithAReason() {
    CosmosItemRequestOptions options =
        new CosmosItemRequestOptions().setReadConsistencyStrategy(ReadConsistencyStrategy.GLOBAL_STRONG);
    Exception refused = assertThrows(Exception.class, () -> container.readItem("1", KEY, options, JsonNode.class));
    assertTrue(refused.getMessage().toLowerCase(Locale.ROOT).contains("strong"), refused.getMessage());
  }

  @Test
  void aStrongAccountServesEveryStrategy() {
    CosmosContainer strongest = strong.newContainer("/pk");
    strongest.createItem(item("{'id': '1', 'pk': 'a'}"));
    for (ReadConsistencyStrategy strategy : ReadConsistencyStrategy.values()) {
      CosmosItemRequestOptions options = new CosmosItemRequestOptions().setReadConsistencyStrategy(strategy);
      assertEquals(200, strongest.readItem("1", KEY, options, JsonNode.class).getStatusCode(), strategy.toString());
    }
    failure(404, () -> strongest.readItem("2", KEY, JsonNode.class));
  }
}
