package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.item;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.ThroughputControlGroupConfigBuilder;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PriorityLevel;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Provisioned throughput, and what the SDK does when it is used up. */
class ThroughputTest {
  @RegisterExtension static final Server server = new Server("--rate-limiting", "explicit");

  @Test
  void throughputIsReadAndReplaced() {
    CosmosDatabase database = server.database();
    database.createContainer("manual", "/pk", ThroughputProperties.createManualThroughput(1000));
    CosmosContainer manual = database.getContainer("manual");
    assertEquals(1000, manual.readThroughput().getProperties().getManualThroughput());
    manual.replaceThroughput(ThroughputProperties.createManualThroughput(1200));
    assertEquals(1200, manual.readThroughput().getProperties().getManualThroughput());

    database.createContainer("auto", "/pk", ThroughputProperties.createAutoscaledThroughput(4000));
    CosmosContainer auto = database.getContainer("auto");
    assertEquals(4000, auto.readThroughput().getProperties().getAutoscaleMaxThroughput());
    auto.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(5000));
    assertEquals(5000, auto.readThroughput().getProperties().getAutoscaleMaxThroughput());

    failure(400, () -> manual.replaceThroughput(ThroughputProperties.createManualThroughput(100)));
    assertEquals(1200, manual.readThroughput().getProperties().getManualThroughput());
  }

  @Test
  void aDatabaseSharesItsThroughput() {
    server.client().createDatabase("sharing", ThroughputProperties.createManualThroughput(600));
    CosmosDatabase sharing = server.client().getDatabase("sharing");
    assertEquals(600, sharing.readThroughput().getProperties().getManualThroughput());
    sharing.createContainer("c", "/pk");
    failure(400, () -> sharing.getContainer("c").readThroughput());
    sharing.delete();
  }

  /** As large as it takes to use up the request units of a second with a few writes. */
  private static ObjectNode costly(int i) {
    return item("{'id': '%d', 'pk': 'a'}", i).put("text", "x".repeat(100_000));
  }

  @Test
  void withoutRetriesTheUserSees429AndHowLongToWait() throws Exception {
    server.database().createContainer("hot", "/pk", ThroughputProperties.createManualThroughput(400));
    server.clock().freeze();
    ThrottlingRetryOptions none = new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0);
    try (CosmosClient client = server.builder().throttlingRetryOptions(none).buildClient()) {
      CosmosContainer hot = client.getDatabase(server.database().getId()).getContainer("hot");
      CosmosException throttled = null;
      for (int i = 0; i < 50 && throttled == null; ++i) {
        try {
          hot.createItem(costly(i));
        } catch (CosmosException failure) {
          throttled = failure;
        }
      }
      assertEquals(429, throttled.getStatusCode());
      assertEquals(3200, throttled.getSubStatusCode());
      assertTrue(throttled.getRetryAfterDuration().compareTo(Duration.ZERO) > 0);
    }
  }

  @Test
  void withItsRetriesTheSdkGetsThrough() {
    server.database().createContainer("busy", "/pk", ThroughputProperties.createManualThroughput(400));
    CosmosContainer busy = server.database().getContainer("busy");
    boolean waited = false;
    for (int i = 0; i < 50 && !waited; ++i) {
      CosmosItemResponse<ObjectNode> response = busy.createItem(costly(i));
      assertEquals(201, response.getStatusCode());
      waited = response.getDiagnostics().toString().contains("\"statusCode\":429");
    }
    assertTrue(waited);
  }

  @Test
  void aGroupOfTheSdkHoldsItsOwnRequestsBack() {
    CosmosContainer container = server.newContainer("/pk");
    container.enableLocalThroughputControlGroup(
        new ThroughputControlGroupConfigBuilder()
            .groupName("background")
            .targetThroughput(1_000)
            .priorityLevel(PriorityLevel.LOW)
            .build());
    CosmosItemRequestOptions options = new CosmosItemRequestOptions();
    options.setThroughputControlGroupName("background");
    PartitionKey key = new PartitionKey("a");
    assertEquals(201, container.createItem(item("{'id': '1', 'pk': 'a'}"), key, options).getStatusCode());
    assertEquals(200, container.readItem("1", key, options, ObjectNode.class).getStatusCode());
  }
}
