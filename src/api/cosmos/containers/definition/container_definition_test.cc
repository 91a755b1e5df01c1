#include "api/cosmos/containers/definition/container_definition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

std::string Bson(const std::string& json) {
  std::string document;
  EXPECT_TRUE(doc::JsonToBson(json, {}, &document).ok()) << json;
  return document;
}

std::string Json(const std::string& document) {
  std::string json;
  doc::ObjectToJson(document, &json);
  return json;
}

// Returns the completed definition as JSON, or the error's text.
std::string Complete(const std::string& json) {
  auto definition = NewContainerDefinition(Bson(json), json);
  return definition.ok() ? Json(definition->properties) : definition.status().message();
}

std::string With(const std::string& members) {
  return R"({"id":"c","partitionKey":{"paths":["/pk"]},)" + members + "}";
}

std::string Replace(const std::string& current, const std::string& next) {
  auto old = NewContainerDefinition(Bson(current));
  EXPECT_TRUE(old.ok());
  auto replaced = ReplacedContainerDefinition(Bson(next), *old, next);
  return replaced.ok() ? Json(replaced->properties) : replaced.status().message();
}

constexpr std::string_view kTtlText =
    "' is invalid. Ensure to provide a nonzero positive integer less than or equal to '2147483647', or '-1' which "
    "means "
    "never expire.";

TEST(ContainerDefinitionTest, FillsInTheDefaults) {
  EXPECT_EQ(
      Complete(R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2}})"),
      R"({"id":"c","indexingPolicy":{"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/*"}],)"
      R"("excludedPaths":[{"path":"/\"_etag\"/?"}]},"partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},)"
      R"("conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"/_ts",)"
      R"("conflictResolutionProcedure":""},"geospatialConfig":{"type":"Geography"}})");
}

TEST(ContainerDefinitionTest, KeepsEverythingElseAsItIs) {
  std::string completed = Complete(
      With(R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a","/b/c"]}]},"analyticalStorageTtl":-1,)"
           R"("computedProperties":[{"name":"n","query":"SELECT VALUE 1 FROM c"}],)"
           R"("changeFeedPolicy":{"retentionDuration":10},)"
           R"("vectorEmbeddingPolicy":{"vectorEmbeddings":[]},"fullTextPolicy":{"defaultLanguage":"en-US"},)"
           R"("other":{"x":[1]},)"
           R"("defaultTtl":60,"geospatialConfig":{"type":"Geometry"},"_rid":"x","_docs":"docs/","_self":"y")"));
  for (const char* part :
       {R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a","/b/c"]}]})", R"("analyticalStorageTtl":-1)",
        R"("computedProperties":[{"name":"n","query":"SELECT VALUE 1 FROM c"}])",
        R"("changeFeedPolicy":{"retentionDuration":10})", R"("vectorEmbeddingPolicy":{"vectorEmbeddings":[]})",
        R"("fullTextPolicy":{"defaultLanguage":"en-US"})", R"("other":{"x":[1]})", R"("defaultTtl":60)",
        R"("geospatialConfig":{"type":"Geometry"})"}) {
    EXPECT_NE(completed.find(part), std::string::npos) << part << " in " << completed;
  }
  EXPECT_EQ(completed.find("_rid"), std::string::npos);
  EXPECT_EQ(completed.find("_docs"), std::string::npos);
}

TEST(ContainerDefinitionTest, PartitionKeys) {
  auto definition = [](const std::string& key) {
    return NewContainerDefinition(Bson(R"({"id":"c","partitionKey":)" + key + "}"));
  };
  EXPECT_EQ(definition(R"({"paths":["/a"]})")->partition_key.version, 2);
  EXPECT_EQ(definition(R"({"paths":["/a"],"version":1})")->partition_key.version, 1);
  EXPECT_EQ(definition(R"({"paths":["/a"],"version":2})")->partition_key.version, 2);
  EXPECT_EQ(definition(R"({"paths":["/a"],"version":"V1"})")->partition_key.version, 1);
  EXPECT_EQ(definition(R"({"paths":["/a"],"version":"V2"})")->partition_key.version, 2);
  EXPECT_EQ(definition(R"({"paths":["/a","/b"],"kind":"MultiHash"})")->partition_key.version, 2);
  EXPECT_EQ(definition(R"({"paths":["/a","/b"],"kind":"MultiHash"})")->partition_key.kind,
            engine::PartitionKeyKind::kMultiHash);
  EXPECT_TRUE(definition(R"({"paths":["/_partitionKey"],"systemKey":true})").ok());
  for (const char* key :
       {R"({})", R"({"paths":[]})", R"({"paths":"/a"})", R"({"paths":[1]})", R"({"paths":["a"]})", R"({"paths":["/"]})",
        R"({"paths":["/a/*"]})", R"({"paths":["/a","/b"]})", R"({"paths":["/a","/b"],"kind":"Hash"})",
        R"({"paths":["/a","/a"],"kind":"MultiHash"})", R"({"paths":["/a","/b","/c","/d"],"kind":"MultiHash"})",
        R"({"paths":["/a"],"kind":"Range"})", R"({"paths":["/a"],"version":3})", R"({"paths":["/a"],"version":"2"})",
        R"({"paths":["/a"],"version":"V3"})", R"({"paths":["/a","/b"],"kind":"MultiHash","version":1})", R"(5)"}) {
    EXPECT_EQ(definition(key).status().code(), Code::kInvalidArgument) << key;
  }
  EXPECT_EQ(Complete(R"({"id":"c"})"),
            "The input content is invalid because the required properties - 'partitionKey; ' - are missing");
}

TEST(ContainerDefinitionTest, TheVersionOfAPartitionKeyIsShownAsANumber) {
  EXPECT_EQ(Complete(R"({"id":"c","partitionKey":{"paths":["/pk"],"version":"V2"}})"),
            Complete(R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2}})"));
}

TEST(ContainerDefinitionTest, DefaultTtl) {
  EXPECT_EQ(NewContainerDefinition(Bson(With(R"("defaultTtl":5.0)")))->default_ttl, 5);
  EXPECT_EQ(NewContainerDefinition(Bson(With(R"("defaultTtl":-1)")))->default_ttl, -1);
  EXPECT_EQ(NewContainerDefinition(Bson(With(R"("defaultTtl":2147483647)")))->default_ttl, 2147483647);
  EXPECT_EQ(NewContainerDefinition(Bson(With(R"("defaultTtl":null)")))->default_ttl, std::nullopt);
  for (const char* value : {"0", "-10", "1.50", "\"60\"", "true", "2147483648", "{ }"}) {
    std::string text = "The input defaultTtl '" + std::string(value) + std::string(kTtlText);
    std::string definition = With(std::string(R"("defaultTtl":)") + value);
    EXPECT_EQ(Complete(definition), text);
    EXPECT_EQ(Replace(With(R"("defaultTtl":60)"), definition), text);
  }
  EXPECT_EQ(NewContainerDefinition(Bson(With(R"("defaultTtl":1.50)"))).status().message(),
            "The input defaultTtl '1.5" + std::string(kTtlText))
      << "without the text, the value as it is understood";
}

TEST(ContainerDefinitionTest, AnalyticalTtl) {
  for (const char* good : {"null", "0", "-1", "1", "2147483647"}) {
    EXPECT_TRUE(NewContainerDefinition(Bson(With(std::string(R"("analyticalStorageTtl":)") + good))).ok()) << good;
  }
  for (const char* bad : {"-5", "0.50", "\"0\"", "2147483648", "true"}) {
    EXPECT_EQ(Complete(With(std::string(R"("analyticalStorageTtl":)") + bad)),
              "The input analyticalStorageTtl '" + std::string(bad) +
                  "' is invalid. Ensure to provide a positive integer less than or equal to '2147483647', '-1' which "
                  "means never expire, or '0' which means off.");
  }
}

TEST(ContainerDefinitionTest, ChangeFeedPolicy) {
  auto retention = [](const std::string& policy) {
    std::string json = With(R"("changeFeedPolicy":)" + policy);
    EXPECT_NE(Complete(json).find(R"("id":"c")"), std::string::npos) << policy << ": " << Complete(json);
    return NewContainerDefinition(Bson(json), json)->change_log_retention_s;
  };
  EXPECT_EQ(NewContainerDefinition(Bson(With(R"("x":1)")))->change_log_retention_s, 0);
  EXPECT_EQ(retention("null"), 0);
  EXPECT_EQ(retention("{}"), 0);
  EXPECT_EQ(retention(R"({"retentionDuration":0})"), 0);
  EXPECT_EQ(retention(R"({"retentionDuration":1})"), 60);
  EXPECT_EQ(retention(R"({"retentionDuration":5.0})"), 300);
  EXPECT_EQ(retention(R"({"retentionDuration":43200})"), 30 * 24 * 3600);
  for (const char* value :
       {"null", "-1", "1.50", "43201", "9223372036854775807", "1e300", "\"10\"", "true", "[ 1 ]", "{}"}) {
    std::string text = "The input retentionDuration '" + std::string(value) +
                       "' of changeFeedPolicy is invalid. Ensure to provide a whole number of minutes less than or "
                       "equal to '43200' (30 days), or '0' which means that no versions are kept.";
    std::string definition = With(R"("changeFeedPolicy":{"retentionDuration":)" + std::string(value) + "}");
    EXPECT_EQ(Complete(definition), text);
    EXPECT_EQ(Replace(With(R"("x":1)"), definition), text);
  }
  for (const char* policy : {"5", "[]", "\"PT10M\""}) {
    EXPECT_EQ(Complete(With(std::string(R"("changeFeedPolicy":)") + policy)), "changeFeedPolicy must be an object");
  }
}

TEST(ContainerDefinitionTest, AReplaceSaysAnewForHowLongChangesAreKept) {
  std::string kept = With(R"("changeFeedPolicy":{"retentionDuration":10})");
  auto current = NewContainerDefinition(Bson(kept));
  ASSERT_TRUE(current.ok());
  EXPECT_EQ(ReplacedContainerDefinition(Bson(kept), *current)->change_log_retention_s, 600);
  EXPECT_EQ(ReplacedContainerDefinition(Bson(With(R"("x":1)")), *current)->change_log_retention_s, 0);
}

TEST(ContainerDefinitionTest, TtlNeedsIndexing) {
  constexpr std::string_view kText =
      "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection";
  EXPECT_EQ(Complete(With(R"("defaultTtl":-1,"indexingPolicy":{"indexingMode":"None"})")), kText);
  std::string plain = With(R"("x":1)");
  EXPECT_EQ(Replace(plain, With(R"("defaultTtl":60,"indexingPolicy":{"indexingMode":"none"})")), kText);
  std::string indexed = With(R"("defaultTtl":-1)");
  EXPECT_EQ(Replace(indexed, With(R"("defaultTtl":-1,"indexingPolicy":{"indexingMode":"none"})")), kText);
  std::string unindexed = With(R"("indexingPolicy":{"indexingMode":"none"})");
  EXPECT_EQ(Replace(unindexed, With(R"("defaultTtl":-1,"indexingPolicy":{"indexingMode":"none"})")), kText);
  EXPECT_NE(Complete(With(R"("defaultTtl":null,"indexingPolicy":{"indexingMode":"none"})")), kText);
  EXPECT_NE(Complete(With(R"("indexingPolicy":{"indexingMode":"none"})")).find(R"("indexingMode":"none")"),
            std::string::npos);
  EXPECT_NE(Complete(With(R"("defaultTtl":60,"indexingPolicy":{"indexingMode":"lazy"})")).find(R"("lazy")"),
            std::string::npos);
}

TEST(ContainerDefinitionTest, IndexingPolicies) {
  EXPECT_NE(Complete(With(R"("indexingPolicy":{"includedPaths":[{"path":"/a/?"}],"excludedPaths":[{"path":"/*"}],)"
                          R"("compositeIndexes":[[{"path":"/a","order":"ascending"},{"path":"/b"}]]})"))
                .find(R"("includedPaths":[{"path":"/a/?"}],"excludedPaths":[{"path":"/*"},{"path":"/\"_etag\"/?"}],)"
                      R"("compositeIndexes":[[{"path":"/a","order":"ascending"},{"path":"/b"}]])"),
            std::string::npos);
  EXPECT_NE(Complete(With(R"("indexingPolicy":{"excludedPaths":[{"path":"/big/*"}]})")).find(R"([{"path":"/*"}])"),
            std::string::npos);
  for (const char* policy :
       {R"(5)", R"({"indexingMode":"fast"})", R"({"indexingMode":1})", R"({"automatic":"yes"})",
        R"({"includedPaths":{}})", R"({"includedPaths":[{"path":"a"}]})", R"({"includedPaths":[1]})",
        R"({"includedPaths":[{"path":"/a/?"}]})", R"({"compositeIndexes":{}})", R"({"compositeIndexes":[1]})",
        R"({"compositeIndexes":[[]]})", R"({"compositeIndexes":[[1]]})", R"({"compositeIndexes":[[{"path":"a"}]]})",
        R"({"compositeIndexes":[[{"path":"/"}]]})", R"({"compositeIndexes":[[{"path":"/a","order":"up"}]]})"}) {
    EXPECT_EQ(NewContainerDefinition(Bson(With(std::string(R"("indexingPolicy":)") + policy))).status().code(),
              Code::kInvalidArgument)
        << policy;
  }
}

std::string PolicyStatus(const std::string& policy, const std::string& more = "") {
  const Result<engine::ContainerDefinition> made =
      NewContainerDefinition(Bson(With(more + R"("indexingPolicy":)" + policy)));
  return made.ok() ? "ok" : made.status().message();
}

TEST(ContainerDefinitionTest, IndexingPathsAreGivenOnce) {
  EXPECT_EQ(PolicyStatus(R"({"includedPaths":[{"path":"/*"},{"path":"/a/?"},{"path":"/a/*"}]})"), "ok");
  EXPECT_EQ(PolicyStatus(R"({"includedPaths":[{"path":"/*"},{"path":"/a/?"},{"path":"/\"a\"/?"}]})"),
            "The indexing path '/\"a\"/?' is given more than once in includedPaths");
  EXPECT_EQ(PolicyStatus(R"({"excludedPaths":[{"path":"/a/*"},{"path":"/a/*"}]})"),
            "The indexing path '/a/*' is given more than once in excludedPaths");
  EXPECT_EQ(PolicyStatus(R"({"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/"}]})"),
            "The indexing path '/' is in both includedPaths and excludedPaths");
  // A policy that asks for the etag in the index gets it.
  EXPECT_EQ(Complete(With(R"("indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/_etag/?"}]})"))
                .find("excludedPaths\":[{"),
            std::string::npos);
  EXPECT_EQ(PolicyStatus(R"({"includedPaths":[{"path":"/a"}]})"),
            "The indexing path '/a' could not be accepted, failed near position '2'. Please ensure that the path is a "
            "valid path. Common errors include invalid characters or absence of quotes around labels.");
}

TEST(ContainerDefinitionTest, IndexesAreLimited) {
  auto paths = [](int count) {
    std::string list = R"({"path":"/*"})";
    for (int i = 1; i < count; ++i) list += R"(,{"path":"/p)" + std::to_string(i) + "/?\"}";
    return R"({"includedPaths":[)" + list + "]}";
  };
  EXPECT_EQ(PolicyStatus(paths(1500)), "ok");
  EXPECT_EQ(PolicyStatus(paths(1501)), "includedPaths may have 1500 paths");
  auto composites = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      list += (i > 0 ? "," : "") + std::string(R"([{"path":"/a"},{"path":"/p)") + std::to_string(i) + "\"}]";
    }
    return R"({"compositeIndexes":[)" + list + "]}";
  };
  EXPECT_EQ(PolicyStatus(composites(100)), "ok");
  EXPECT_EQ(PolicyStatus(composites(101)), "A container may have 100 composite indexes");
  auto composite = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i)
      list += std::string(i > 0 ? "," : "") + R"({"path":"/p)" + std::to_string(i) + "\"}";
    return R"({"compositeIndexes":[[)" + list + "]]}";
  };
  EXPECT_EQ(PolicyStatus(composite(1)), "A composite index must have 2 to 8 paths");
  EXPECT_EQ(PolicyStatus(composite(2)), "ok");
  EXPECT_EQ(PolicyStatus(composite(8)), "ok");
  EXPECT_EQ(PolicyStatus(composite(9)), "A composite index must have 2 to 8 paths");
  EXPECT_EQ(PolicyStatus(R"({"compositeIndexes":[[{"path":"/a"},{"path":"/a","order":"descending"}]]})"),
            "A composite index must not have a path twice");
  EXPECT_EQ(PolicyStatus(R"({"compositeIndexes":[[{"path":"/a"},{"path":"/b"}],[{"path":"/a"},{"path":"/b"}]]})"),
            "A composite index is given more than once");
  EXPECT_EQ(PolicyStatus(R"({"compositeIndexes":[[{"path":"/a"},{"path":"/b"}],[{"path":"/b"},{"path":"/a"}]]})"),
            "ok");
}

TEST(ContainerDefinitionTest, SpecialIndexesAreCheckedAndKept) {
  const std::string spatial = R"({"path":"/place/*","types":["Point","Polygon"]})";
  EXPECT_NE(Complete(With(R"("indexingPolicy":{"spatialIndexes":[)" + spatial + "]}"))
                .find(R"("spatialIndexes":[)" + spatial + "]"),
            std::string::npos);
  EXPECT_EQ(PolicyStatus(R"({"vectorIndexes":[{"path":"/v","type":"diskANN"}],"fullTextIndexes":[{"path":"/t"}]})"),
            "ok");
  EXPECT_EQ(PolicyStatus(R"({"includedPaths":[{"path":"/*","indexes":[{"kind":"Range","dataType":"String"}]}]})"),
            "ok");
  for (const char* policy :
       {R"({"spatialIndexes":{}})", R"({"spatialIndexes":[1]})", R"({"spatialIndexes":[{"types":["Point"]}]})",
        R"({"spatialIndexes":[{"path":"/p","types":["Point"]}]})", R"({"spatialIndexes":[{"path":"/p/?"}]})",
        R"({"spatialIndexes":[{"path":"/p/?","types":[]}]})", R"({"spatialIndexes":[{"path":"/p/?","types":["Dot"]}]})",
        R"({"spatialIndexes":[{"path":"/p/?","types":["Point","Point"]}]})",
        R"({"spatialIndexes":[{"path":"/p/?","types":["Point"]},{"path":"/p/?","types":["Polygon"]}]})",
        R"({"spatialIndexes":[{"path":"/p/?","types":["Point"],"boundingBox":{"xmin":0,"ymin":0,"xmax":1,"ymax":1}}]})",
        R"({"vectorIndexes":[{"path":"/v"}]})", R"({"vectorIndexes":[{"path":"/v","type":"best"}]})",
        R"({"vectorIndexes":[{"path":"/v/*","type":"flat"}]})", R"({"fullTextIndexes":[{}]})",
        R"({"includedPaths":[{"path":"/*","indexes":[{"kind":"Best"}]}]})",
        R"({"includedPaths":[{"path":"/*","indexes":[{"kind":"Range","dataType":"Blob"}]}]})"}) {
    EXPECT_NE(PolicyStatus(policy), "ok") << policy;
  }
}

TEST(ContainerDefinitionTest, FlatGeometriesNeedABox) {
  const std::string flat = R"("geospatialConfig":{"type":"Geometry"},)";
  auto index = [](const std::string& box) {
    return R"({"spatialIndexes":[{"path":"/p/?","types":["Point"])" + box + "}]}";
  };
  EXPECT_EQ(PolicyStatus(index(R"(,"boundingBox":{"xmin":-1.5,"ymin":0,"xmax":1,"ymax":1})"), flat), "ok");
  for (const char* box : {"", R"(,"boundingBox":5)", R"(,"boundingBox":{"xmin":0,"ymin":0,"xmax":1})",
                          R"(,"boundingBox":{"xmin":1,"ymin":0,"xmax":1,"ymax":1})",
                          R"(,"boundingBox":{"xmin":"0","ymin":0,"xmax":1,"ymax":1})"}) {
    EXPECT_NE(PolicyStatus(index(box), flat), "ok") << box;
  }
}

TEST(ContainerDefinitionTest, TheEngineIsToldOfAllIndexes) {
  auto indexing = [](const std::string& policy) {
    auto definition = NewContainerDefinition(Bson(With(R"("indexingPolicy":)" + policy)));
    EXPECT_TRUE(definition.ok()) << definition.status().ToString();
    return definition.ok() ? definition->indexing : engine::IndexingDefinition();
  };
  const engine::IndexingDefinition told = indexing(
      R"({"automatic":false,"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/a/b/?"},{"path":"/l/[]/*"}],)"
      R"("compositeIndexes":[[{"path":"/a/c","order":"Descending"},{"path":"/\"x y\""}]]})");
  using Path = engine::IndexingDefinition::Path;
  EXPECT_FALSE(told.automatic);
  EXPECT_EQ(told.paths,
            (std::vector<Path>{
                {{}, false, true}, {{"a", "b"}, true, false}, {{"l", "[]"}, false, false}, {{"_etag"}, true, false}}));
  EXPECT_EQ(told.composites,
            (std::vector<engine::IndexingDefinition::Composite>{{{{"a", "c"}, true}, {{"x y"}, false}}}));
  EXPECT_TRUE(indexing(R"({})").automatic);
  EXPECT_EQ(indexing(R"({"indexingMode":"none"})"), engine::IndexingDefinition());
}

std::string ComputedProperties(int count) {
  std::string members = R"("computedProperties":[)";
  for (int i = 0; i < count; ++i) {
    members +=
        std::string(i > 0 ? "," : "") + R"({"name":"n)" + std::to_string(i) + R"(","query":"SELECT VALUE 1 FROM c"})";
  }
  return members + "]";
}

TEST(ContainerDefinitionTest, AContainerMayHaveTwentyComputedProperties) {
  EXPECT_TRUE(NewContainerDefinition(Bson(With(ComputedProperties(20)))).ok());
}

TEST(ContainerDefinitionTest, RefusesWhatIsMalformed) {
  std::string many_keys = R"("uniqueKeyPolicy":{"uniqueKeys":[)";
  for (int i = 0; i < 11; ++i)
    many_keys += std::string(i > 0 ? "," : "") + R"({"paths":["/a)" + std::to_string(i) + "\"]}";
  many_keys += "]}";
  std::string many_paths = R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":[)";
  for (int i = 0; i < 17; ++i) many_paths += std::string(i > 0 ? "," : "") + "\"/a" + std::to_string(i) + "\"";
  many_paths += "]}]}";
  for (const std::string& members :
       {many_keys, many_paths, std::string(R"("uniqueKeyPolicy":[])"),
        std::string(R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["a"]}]})"),
        std::string(R"("uniqueKeyPolicy":{"uniqueKeys":[{}]})"),
        std::string(R"("conflictResolutionPolicy":{"mode":"Mine"})"),
        std::string(R"("geospatialConfig":{"type":"Flat"})"), std::string(R"("analyticalStorageTtl":-5)"),
        std::string(R"("computedProperties":{})"), std::string(R"("computedProperties":[{"name":1}])"),
        std::string(R"("computedProperties":[{"name":"a","query":"SELECT c.a FROM c"}])"),
        std::string(R"("computedProperties":[{"name":"","query":"SELECT VALUE c.a FROM c"}])"),
        std::string(R"("computedProperties":[{"name":"id","query":"SELECT VALUE c.a FROM c"}])"),
        std::string(R"("computedProperties":[{"name":"pk","query":"SELECT VALUE c.a FROM c"}])"),
        std::string(R"("computedProperties":[{"name":"_ts","query":"SELECT VALUE c.a FROM c"}])"),
        std::string(R"("computedProperties":[{"name":"a","query":"SELECT VALUE 1 FROM c"},)"
                    R"({"name":"a","query":"SELECT VALUE 2 FROM c"}])"),
        ComputedProperties(21), std::string(R"("changeFeedPolicy":1)")}) {
    EXPECT_EQ(NewContainerDefinition(Bson(With(members))).status().code(), Code::kInvalidArgument) << members;
  }
  for (const char* id : {R"("")", R"("a/b")", R"("a\\b")", R"("a?")", R"("a#")", R"("a ")", "5"}) {
    std::string json = R"({"partitionKey":{"paths":["/pk"]},"id":)" + std::string(id) + "}";
    EXPECT_EQ(NewContainerDefinition(Bson(json)).status().code(), Code::kInvalidArgument) << id;
  }
}

// Policies without effect must be well-formed, too.
TEST(ContainerDefinitionTest, RefusesWrongTypes) {
  const std::vector<std::string> everything = {"null", "true", "5", "1.5", "\"x\"", "[]", "[1]", "{}"};
  struct Field {
    std::string before;  // the text around the value
    std::string after;
    std::vector<std::string> right;
  };
  const std::string embedding = R"("vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v",)";
  const std::vector<Field> fields = {
      {R"("conflictResolutionPolicy":)", "", {"null", "{}"}},
      {R"("conflictResolutionPolicy":{"mode":)", "}", {"null", R"("Custom")"}},
      {R"("conflictResolutionPolicy":{"conflictResolutionPath":)", "}", {"null", R"("x")"}},
      {R"("conflictResolutionPolicy":{"conflictResolutionProcedure":)", "}", {"null", R"("x")"}},
      {R"("vectorEmbeddingPolicy":)", "", {"null", "{}"}},
      {R"("vectorEmbeddingPolicy":{"vectorEmbeddings":)", "}", {"null", "[]"}},
      {R"("vectorEmbeddingPolicy":{"vectorEmbeddings":[)", "]}", {R"({"path":"/v"})"}},
      {R"("vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":)", "}]}", {R"("/v")"}},
      {embedding + R"("dataType":)", "}]}", {"null", R"("float32")"}},
      {embedding + R"("distanceFunction":)", "}]}", {"null", R"("cosine")"}},
      {embedding + R"("dimensions":)", "}]}", {"null", "5", "4096"}},
      {embedding + R"("dimensions":-)", "}]}", {}},
      {R"("fullTextPolicy":)", "", {"null", "{}"}},
      {R"("fullTextPolicy":{"defaultLanguage":)", "}", {"null", R"("x")"}},
      {R"("fullTextPolicy":{"fullTextPaths":)", "}", {"null", "[]"}},
      {R"("fullTextPolicy":{"fullTextPaths":[)", "]}", {R"({"path":"/t"})"}},
      {R"("fullTextPolicy":{"fullTextPaths":[{"path":)", "}]}", {R"("/t")"}},
      {R"("fullTextPolicy":{"fullTextPaths":[{"path":"/t","language":)", "}]}", {"null", R"("x")"}},
      {R"("changeFeedPolicy":{"retentionDuration":)", "}", {"5"}},
      {R"("geospatialConfig":)", "", {"null", "{}"}},
      {R"("clientEncryptionPolicy":)", "", {"null", "{}"}},
  };
  for (const Field& field : fields) {
    for (const std::string& value : everything) {
      const std::string members = field.before + value + field.after;
      const std::string json = With(members);
      std::string document;
      if (!doc::JsonToBson(json, {}, &document).ok()) continue;
      const bool is_right = std::find(field.right.begin(), field.right.end(), value) != field.right.end();
      EXPECT_EQ(NewContainerDefinition(document, json).ok(), is_right) << members;
    }
    for (const std::string& value : field.right) {
      EXPECT_TRUE(NewContainerDefinition(Bson(With(field.before + value + field.after))).ok()) << field.before << value;
    }
  }
}

TEST(ContainerDefinitionTest, TheKeyOfTheSystemHasItsOwnPath) {
  for (const char* key : {R"("systemKey":5)", R"("systemKey":"true")", R"("systemKey":[])", R"("systemKey":true)"}) {
    const std::string json = R"({"id":"c","partitionKey":{"paths":["/pk"],)" + std::string(key) + "}}";
    EXPECT_EQ(NewContainerDefinition(Bson(json)).status().code(), Code::kInvalidArgument) << key;
  }
  for (const char* key : {R"("systemKey":null)", R"("systemKey":false)"}) {
    EXPECT_TRUE(
        NewContainerDefinition(Bson(R"({"id":"c","partitionKey":{"paths":["/pk"],)" + std::string(key) + "}}")).ok())
        << key;
  }
}

// Stored items have none of these.
TEST(ContainerDefinitionTest, PropertiesOfTheSystemAreNoKeys) {
  for (const std::string name : {"_ts", "_etag", "_rid", "_self", "_attachments"}) {
    for (const std::string& path : {"/" + name, "/" + name + "/x", "/\\\"" + name + "\\\""}) {
      const std::string key = R"({"id":"c","partitionKey":{"paths":[")" + path + "\"]}}";
      EXPECT_NE(Complete(key).find("the system adds to items"), std::string::npos) << key << Complete(key);
      const std::string levels = R"({"id":"c","partitionKey":{"kind":"MultiHash","paths":["/a",")" + path + "\"]}}";
      EXPECT_NE(Complete(levels).find("the system adds to items"), std::string::npos) << levels;
      const std::string unique = With(R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a",")" + path + "\"]}]}");
      EXPECT_NE(Complete(unique).find("the system adds to items"), std::string::npos) << unique << Complete(unique);
    }
  }
  EXPECT_EQ(Complete(R"({"id":"c","partitionKey":{"paths":["/a/_ts"]}})").find("adds to items"), std::string::npos);
}

TEST(ContainerDefinitionTest, ADefinitionHasASize) {
  auto sized = [](size_t bytes) { return With(R"("note":")" + std::string(bytes, 'x') + "\""); };
  constexpr size_t kMax_bytes = 256 << 10;
  EXPECT_TRUE(NewContainerDefinition(Bson(sized(kMax_bytes - 2000))).ok());
  Status refused = NewContainerDefinition(Bson(sized(kMax_bytes))).status();
  EXPECT_EQ(refused.code(), Code::kTooLarge);
  EXPECT_EQ(refused.message(), "Request size is too large. The definition of a container may have 256 KB.");
  // The added defaults count, too.
  const size_t given_bytes = Bson(sized(0)).size();
  EXPECT_EQ(NewContainerDefinition(Bson(sized(kMax_bytes - given_bytes))).status().code(), Code::kTooLarge);
  auto current = NewContainerDefinition(Bson(sized(1)));
  ASSERT_TRUE(current.ok());
  EXPECT_EQ(ReplacedContainerDefinition(Bson(sized(kMax_bytes)), *current).status().code(), Code::kTooLarge);
}

TEST(ContainerDefinitionTest, AReplaceKeepsWhatCannotChange) {
  std::string current = R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2},"defaultTtl":60,)"
                        R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a"]}]}})";
  EXPECT_EQ(Replace(current, R"({"id":"d","partitionKey":{"paths":["/pk"],"version":2}})"),
            "The id of a container cannot be changed.");
  EXPECT_EQ(Replace(current, R"({"id":"c","partitionKey":{"paths":["/other"],"version":2}})"),
            "Document collection partition key cannot be changed.");
  EXPECT_EQ(Replace(current, R"({"id":"c","partitionKey":{"paths":["/pk"],"version":1}})"),
            "Document collection partition key cannot be changed.");
  std::string replaced = Replace(
      current, R"({"id":"c","partitionKey":{"paths":["/pk"]},"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a"]}]}})");
  EXPECT_NE(replaced.find(R"("partitionKey":{"paths":["/pk"],"kind":"Hash","version":2})"), std::string::npos)
      << replaced;
  EXPECT_NE(replaced.find(R"("uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a"]}]})"), std::string::npos) << replaced;
  EXPECT_EQ(replaced.find("defaultTtl"), std::string::npos) << replaced;
}

TEST(ContainerDefinitionTest, UniqueKeysAreFixed) {
  const auto with_policy = [](const std::string& policy) {
    return Bson(R"({"id":"c","partitionKey":{"paths":["/pk"]},"uniqueKeyPolicy":)" + policy + "}");
  };
  auto current = NewContainerDefinition(with_policy(R"({"uniqueKeys":[{"paths":["/a"]},{"paths":["/b","/c"]}]})"));
  ASSERT_TRUE(current.ok()) << current.status().ToString();
  ASSERT_EQ(current->unique_keys.keys.size(), 2U);
  EXPECT_EQ(current->unique_keys.keys[1].paths, (std::vector{doc::Path({"b"}), doc::Path({"c"})}));
  EXPECT_TRUE(
      ReplacedContainerDefinition(with_policy(R"({"uniqueKeys":[{"paths":["/a"]},{"paths":["/b","/c"]}]})"), *current)
          .ok());
  for (const char* other :
       {R"({"uniqueKeys":[{"paths":["/a"]}]})", R"({"uniqueKeys":[{"paths":["/a"]},{"paths":["/b","/d"]}]})",
        R"({"uniqueKeys":[{"paths":["/a"]},{"paths":["/b","/c"]},{"paths":["/d"]}]})", R"({"uniqueKeys":[]})",
        "null"}) {
    const Status refused = ReplacedContainerDefinition(with_policy(other), *current).status();
    EXPECT_EQ(refused.code(), Code::kForbidden) << other;
    EXPECT_EQ(refused.message(),
              "The unique index cannot be modified. To change the unique index, remove the collection and re-create a "
              "new one.");
  }
  const std::string without = Bson(R"({"id":"c","partitionKey":{"paths":["/pk"]}})");
  EXPECT_EQ(ReplacedContainerDefinition(without, *current).status().code(), Code::kForbidden);
  EXPECT_EQ(
      ReplacedContainerDefinition(with_policy(R"({"uniqueKeys":[{"paths":["/a/*"]}]})"), *current).status().code(),
      Code::kInvalidArgument);

  auto none = NewContainerDefinition(without);
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->unique_keys.empty());
  EXPECT_TRUE(ReplacedContainerDefinition(without, *none).ok());
  EXPECT_TRUE(ReplacedContainerDefinition(with_policy(R"({"uniqueKeys":[]})"), *none).ok()) << "is as good as none";
  EXPECT_EQ(ReplacedContainerDefinition(with_policy(R"({"uniqueKeys":[{"paths":["/a"]}]})"), *none).status().code(),
            Code::kForbidden);
}

}  // namespace
}  // namespace lapse::api::cosmos
