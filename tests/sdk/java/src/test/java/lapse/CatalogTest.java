package lapse;

import static lapse.support.Documents.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosDatabaseProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import lapse.support.Documents;
import lapse.support.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Databases and containers. */
class CatalogTest {
  @RegisterExtension static final Server server = new Server();

  @Test
  void aDatabaseIsCreatedOnceReadListedQueriedAndDeleted() {
    assertEquals(201, server.client().createDatabaseIfNotExists("shop").getStatusCode());
    assertEquals(200, server.client().createDatabaseIfNotExists("shop").getStatusCode());
    failure(409, () -> server.client().createDatabase("shop"));

    CosmosDatabase database = server.client().getDatabase("shop");
    CosmosDatabaseProperties properties = database.read().getProperties();
    assertEquals("shop", properties.getId());
    assertFalse(properties.getResourceId().isEmpty());
    assertTrue(server.client().readAllDatabases().stream().anyMatch(found -> found.getId().equals("shop")));
    SqlQuerySpec byId =
        new SqlQuerySpec("SELECT * FROM root r WHERE r.id = @id", List.of(new SqlParameter("@id", "shop")));
    assertEquals(
        List.of("shop"),
        server.client().queryDatabases(byId, new CosmosQueryRequestOptions()).stream()
            .map(CosmosDatabaseProperties::getId)
            .toList());

    assertEquals(204, database.delete().getStatusCode());
    failure(404, database::read);
  }

  @Test
  void aContainerKeepsItsWholeDefinition() {
    CosmosContainerProperties definition = new CosmosContainerProperties(server.newId(), "/address/city");
    definition.setDefaultTimeToLiveInSeconds(3600);
    definition.setIndexingPolicy(
        new IndexingPolicy()
            .setIncludedPaths(List.of(new IncludedPath("/name/?")))
            .setExcludedPaths(List.of(new ExcludedPath("/*"))));
    definition.setUniqueKeyPolicy(new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/email")))));
    CosmosContainer container = server.newContainer(definition);

    CosmosContainerProperties read = container.read().getProperties();
    assertEquals(List.of("/address/city"), read.getPartitionKeyDefinition().getPaths());
    assertEquals(3600, read.getDefaultTimeToLiveInSeconds());
    assertEquals("/name/?", read.getIndexingPolicy().getIncludedPaths().get(0).getPath());
    assertEquals(List.of("/email"), read.getUniqueKeyPolicy().getUniqueKeys().get(0).getPaths());
  }

  @Test
  void aContainerWithAHierarchicalKeyKeepsItsPaths() {
    PartitionKeyDefinition key =
        new PartitionKeyDefinition()
            .setPaths(List.of("/tenant", "/user", "/session"))
            .setKind(PartitionKind.MULTI_HASH)
            .setVersion(PartitionKeyDefinitionVersion.V2);
    CosmosContainer container = server.newContainer(new CosmosContainerProperties(server.newId(), key));

    PartitionKeyDefinition read = container.read().getProperties().getPartitionKeyDefinition();
    assertEquals(List.of("/tenant", "/user", "/session"), read.getPaths());
    assertEquals(PartitionKind.MULTI_HASH, read.getKind());
  }

  @Test
  void aContainerIsReplacedListedQueriedAndDeleted() {
    CosmosContainer container = server.newContainer("/pk");
    CosmosContainerProperties definition = container.read().getProperties();
    assertNull(definition.getDefaultTimeToLiveInSeconds());

    container.replace(definition.setDefaultTimeToLiveInSeconds(-1));
    assertEquals(-1, container.read().getProperties().getDefaultTimeToLiveInSeconds());

    assertEquals(
        200, server.database().createContainerIfNotExists(container.getId(), "/pk").getStatusCode());
    assertTrue(
        server.database().readAllContainers().stream().anyMatch(found -> found.getId().equals(container.getId())));
    assertEquals(
        1,
        server.database().queryContainers("SELECT * FROM c WHERE c.id = '" + container.getId() + "'").stream().count());

    assertEquals(204, container.delete().getStatusCode());
    failure(404, container::read);
    failure(404, () -> container.createItem(Documents.item("{'id': '1', 'pk': 'a'}")));
  }

  @Test
  void aContainerThatWasMadeAnewIsFoundByAClientThatKnewTheOldOne() {
    CosmosContainer container = server.newContainer("/pk");
    container.createItem(Documents.item("{'id': '1', 'pk': 'a'}"));
    container.delete();
    server.database().createContainer(container.getId(), "/other");

    container.createItem(Documents.item("{'id': '2', 'other': 'b'}"));
    assertEquals(
        List.of("2"),
        Documents.ids(
            container.queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)));
  }

  @Test
  void aBadDefinitionIsRefusedWithAReason() {
    CosmosContainerProperties definition = new CosmosContainerProperties(server.newId(), "/pk");
    definition.setDefaultTimeToLiveInSeconds(0);
    assertTrue(failure(400, () -> server.database().createContainer(definition)).getMessage().contains("defaultTtl"));
    failure(404, () -> server.database().getContainer(definition.getId()).read());
  }

  @Test
  void whatIsNotBuiltSaysSo() {
    CosmosContainer container = server.newContainer("/pk");
    CosmosStoredProcedureProperties procedure = new CosmosStoredProcedureProperties("p", "function() {}");
    String told = failure(400, () -> container.getScripts().createStoredProcedure(procedure)).getShortMessage();
    assertTrue(told.contains("not supported"), told);
  }
}
