package lapse;

import static lapse.support.Documents.failure;
import static lapse.support.Documents.item;
import static lapse.support.Documents.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import lapse.support.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Patches: every operation, conditions, and what is refused. */
class PatchTest {
  @RegisterExtension static final Server server = new Server();
  private static final PartitionKey KEY = new PartitionKey("a");
  private static CosmosContainer container;

  @BeforeAll
  static void makeContainer() {
    container = server.newContainer("/pk");
  }

  @Test
  void everyOperationChangesTheItem() {
    container.createItem(item("{'id': 'all', 'pk': 'a', 'n': 1, 'x': 1.5, 'old': 'o', 'list': [1, 3], 'from': 'm'}"));
    CosmosPatchOperations operations =
        CosmosPatchOperations.create()
            .add("/list/1", 2)
            .set("/made", List.of("by", "set"))
            .replace("/old", "new")
            .increment("/n", 41)
            .increment("/x", 0.25)
            .move("/from", "/to");
    container.patchItem("all", KEY, operations, JsonNode.class);
    container.patchItem("all", KEY, CosmosPatchOperations.create().remove("/list/0"), JsonNode.class);
    assertEquals(
        item("{'id': 'all', 'pk': 'a', 'n': 42, 'x': 1.75, 'old': 'new', 'list': [2, 3], 'to': 'm',"
                + " 'made': ['by', 'set']}"),
        plain(container.readItem("all", KEY, JsonNode.class).getItem()));
  }

  @Test
  void aConditionDecidesWhetherThePatchGoesAhead() {
    container.createItem(item("{'id': 'if', 'pk': 'a', 'n': 1}"));
    CosmosPatchOperations increment = CosmosPatchOperations.create().increment("/n", 1);
    CosmosPatchItemRequestOptions ifOne =
        new CosmosPatchItemRequestOptions().setFilterPredicate("FROM c WHERE c.n = 1");
    ObjectNode patched = container.patchItem("if", KEY, increment, ifOne, ObjectNode.class).getItem();
    assertEquals(2, patched.get("n").asInt());
    failure(412, () -> container.patchItem("if", KEY, increment, ifOne, ObjectNode.class));

    CosmosPatchItemRequestOptions ifSame = new CosmosPatchItemRequestOptions();
    ifSame.setIfMatchETag(patched.get("_etag").asText());
    container.patchItem("if", KEY, increment, ifSame, ObjectNode.class);
    failure(412, () -> container.patchItem("if", KEY, increment, ifSame, ObjectNode.class));
  }

  @Test
  void badPatchesAreRefusedAndChangeNothing() {
    container.createItem(item("{'id': 'bad', 'pk': 'a', 'n': 1}"));
    CosmosPatchOperations missing = CosmosPatchOperations.create().set("/n", 2).remove("/none");
    failure(400, () -> container.patchItem("bad", KEY, missing, JsonNode.class));
    CosmosPatchOperations key = CosmosPatchOperations.create().set("/pk", "b");
    failure(400, () -> container.patchItem("bad", KEY, key, JsonNode.class));
    CosmosPatchOperations many = CosmosPatchOperations.create();
    for (int i = 0; i < 11; ++i) many.increment("/n", 1);
    failure(400, () -> container.patchItem("bad", KEY, many, JsonNode.class));
    CosmosPatchOperations good = CosmosPatchOperations.create().set("/n", 2);
    failure(404, () -> container.patchItem("none", KEY, good, JsonNode.class));
    assertEquals(1, container.readItem("bad", KEY, JsonNode.class).getItem().get("n").asInt());
  }
}
