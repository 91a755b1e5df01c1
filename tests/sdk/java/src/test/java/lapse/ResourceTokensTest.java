package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.item;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosUser;
import com.azure.cosmos.models.CosmosPermissionProperties;
import com.azure.cosmos.models.CosmosPermissionRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PermissionMode;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import lapse.support.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Users, permissions, and clients that have only a resource token. */
class ResourceTokensTest {
  @RegisterExtension static final Server server = new Server();
  private static final PartitionKey ADA = new PartitionKey("ada");
  private static final PartitionKey BOB = new PartitionKey("bob");
  private static CosmosContainer container;

  @BeforeAll
  static void makeItems() {
    container = server.newContainer("/user");
    container.createItem(item("{'id': '1', 'user': 'ada'}"));
    container.createItem(item("{'id': '1', 'user': 'bob'}"));
    server.database().createUser(new CosmosUserProperties().setId("reader"));
  }

  private static CosmosPermissionProperties grant(String id, PermissionMode mode, PartitionKey key) {
    CosmosPermissionProperties permission =
        new CosmosPermissionProperties()
            .setId(id)
            .setPermissionMode(mode)
            .setContainerName(container.getId());
    if (key != null) permission.setResourcePartitionKey(key);
    server
        .asyncClient()
        .getDatabase(server.database().getId())
        .getUser("reader")
        .upsertPermission(permission, new CosmosPermissionRequestOptions())
        .block();
    return server
        .asyncClient()
        .getDatabase(server.database().getId())
        .getUser("reader")
        .getPermission(id)
        .read(new CosmosPermissionRequestOptions())
        .block()
        .getProperties();
  }

  private static CosmosContainer as(CosmosClient client) {
    return client.getDatabase(server.database().getId()).getContainer(container.getId());
  }

  private static CosmosClientBuilder anonymous() {
    return new CosmosClientBuilder().endpoint(server.endpoint()).gatewayMode();
  }

  @Test
  void usersAreListedAndFound() {
    CosmosUser user = server.database().getUser("reader");
    assertEquals("reader", user.read().getProperties().getId());
    assertEquals(
        List.of("reader"),
        server.database().readAllUsers().stream().map(CosmosUserProperties::getId).toList());
  }

  @Test
  void aTokenForReadingReads() {
    CosmosPermissionProperties permission = grant("read", PermissionMode.READ, null);
    assertFalse(permission.getToken().isEmpty());
    try (CosmosClient client = anonymous().resourceToken(permission.getToken()).buildClient()) {
      assertEquals(200, as(client).readItem("1", ADA, JsonNode.class).getStatusCode());
      CosmosQueryRequestOptions ofBob = new CosmosQueryRequestOptions().setPartitionKey(BOB);
      assertEquals(1, as(client).queryItems("SELECT * FROM c", ofBob, JsonNode.class).stream().count());
      failure(403, () -> as(client).createItem(item("{'id': '2', 'user': 'ada'}")));
      failure(403, () -> client.createDatabase("other"));
    }
  }

  @Test
  void aTokenForOneKeyIsGoodForThatKeyAlone() {
    String token = grant("ada", PermissionMode.ALL, ADA).getToken();
    try (CosmosClient client = anonymous().resourceToken(token).buildClient()) {
      as(client).upsertItem(item("{'id': '2', 'user': 'ada'}"));
      assertEquals(200, as(client).readItem("2", ADA, JsonNode.class).getStatusCode());
      failure(403, () -> as(client).readItem("1", BOB, JsonNode.class));
    }
  }

  @Test
  void aResolverMayHandOutTheToken() {
    String token = grant("read", PermissionMode.READ, null).getToken();
    try (CosmosClient client =
        anonymous().authorizationTokenResolver((verb, resource, type, properties) -> token).buildClient()) {
      assertEquals(200, as(client).readItem("1", BOB, JsonNode.class).getStatusCode());
    }
  }
}
