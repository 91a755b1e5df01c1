#include "api/cosmos/containers/definition/indexing_policy.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cosmos/containers/definition/index_path.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/sent_json.h"
#include "api/invalid.h"
#include "doc/writer.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kEverything = "/*";
constexpr std::string_view kEtag = "/\"_etag\"/?";
// The service's limit.
constexpr size_t kListedPathsMax = 1500;  // in each of the two lists
constexpr size_t kCompositesMax = 100;
constexpr size_t kCompositePathsMin = 2;
constexpr size_t kCompositePathsMax = 8;

std::string LowerCase(std::string_view given) {
  std::string text(given);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return text;
}

std::string_view DocumentOf(doc::Value policy) {
  return IsAbsent(policy) ? std::string_view() : policy.AsDocument();
}

doc::Value FindIn(std::string_view document, std::string_view name) {
  return document.empty() ? doc::Value() : doc::Find(document, name);
}

// The paths of one list, well-formed and without duplicates.
struct PathList {
  bool given = false;
  doc::Value value;
  std::vector<IndexPath> paths;

  bool Has(const IndexPath& path) const { return std::find(paths.begin(), paths.end(), path) != paths.end(); }
};

Result<IndexPath> ReadPath(doc::Value entry, std::string_view list) {
  const doc::Value path = entry.type() == doc::Type::kObject ? doc::Find(entry.AsDocument(), "path") : doc::Value();
  if (path.type() != doc::Type::kString) {
    return Invalid("An entry of " + std::string(list) + " must be an object with a string 'path'");
  }
  return ReadIndexPath(path.AsString());
}

std::string QuotedPath(doc::Value entry) {
  return std::string(doc::Find(entry.AsDocument(), "path").AsString().substr(0, kQuotedBytesMax));
}

// No path may be in a list twice, or in both lists.
class SeenPaths {
 public:
  Status Add(const IndexPath& path, doc::Value entry, std::string_view list) {
    const auto [seen, is_new] = lists_.emplace(std::pair(path.names, path.one_value), list);
    if (is_new) return Status::Ok();
    if (seen->second == list) {
      return Invalid("The indexing path '" + QuotedPath(entry) + "' is given more than once in " + std::string(list));
    }
    return Invalid("The indexing path '" + QuotedPath(entry) + "' is in both includedPaths and excludedPaths");
  }

 private:
  std::map<std::pair<std::vector<std::string>, bool>, std::string> lists_;
};

Result<PathList> ReadPaths(std::string_view policy, const std::string& name, SeenPaths* seen) {
  PathList list;
  list.value = FindIn(policy, name);
  if (IsAbsent(list.value)) return list;
  if (list.value.type() != doc::Type::kArray) return Invalid(name + " must be an array");
  list.given = true;
  doc::Reader reader(list.value.AsDocument());
  while (auto entry = reader.Next()) {
    if (list.paths.size() == kListedPathsMax) {
      return Invalid(name + " may have " + std::to_string(kListedPathsMax) + " paths");
    }
    LAPSE_ASSIGN_OR_RETURN(IndexPath path, ReadPath(entry->value, name));
    LAPSE_RETURN_IF_ERROR(seen->Add(path, entry->value, name));
    LAPSE_RETURN_IF_ERROR(CheckIndexesOfPath(entry->value));
    list.paths.push_back(std::move(path));
  }
  return list;
}

void WritePath(doc::Writer* writer, std::string_view index, std::string_view path) {
  writer->BeginObject(index);
  writer->AppendString("path", path);
  writer->End();
}

// Writes the client's entries, then `extra` if it is not empty.
void WritePaths(doc::Writer* writer, std::string_view name, const PathList& list, std::string_view extra) {
  writer->BeginArray(name);
  int count = 0;
  if (list.given) {
    doc::Reader reader(list.value.AsDocument());
    while (auto entry = reader.Next()) writer->AppendValue(std::to_string(count++), entry->value);
  }
  if (!extra.empty()) WritePath(writer, std::to_string(count), extra);
  writer->End();
}

// Requires a checked policy.
void AddPaths(doc::Value list, bool indexed, engine::IndexingDefinition* indexing) {
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    Result<IndexPath> path = ReadIndexPath(doc::Find(entry->value.AsDocument(), "path").AsString());
    if (path.ok()) indexing->paths.push_back({std::move(path->names), path->one_value, indexed});
  }
}

Result<engine::IndexingDefinition::CompositePath> ReadPathOfComposite(doc::Value entry) {
  const bool is_object = entry.type() == doc::Type::kObject;
  const doc::Value text = is_object ? doc::Find(entry.AsDocument(), "path") : doc::Value();
  if (text.type() != doc::Type::kString) return Invalid("A path of a composite index must have a string 'path'");
  engine::IndexingDefinition::CompositePath path;
  LAPSE_ASSIGN_OR_RETURN(path.names, ReadCompositePath(text.AsString()));
  const doc::Value order = doc::Find(entry.AsDocument(), "order");
  const std::string direction = order.type() == doc::Type::kString ? LowerCase(order.AsString()) : "";
  if (!IsAbsent(order) && direction != "ascending" && direction != "descending") {
    return Invalid("The order of a path of a composite index must be 'ascending' or 'descending'");
  }
  path.descending = direction == "descending";
  return path;
}

// Reads `[{"path":"/a","order":"ascending"},...]`. Fails for anything else.
Result<engine::IndexingDefinition::Composite> ReadComposite(doc::Value value) {
  if (value.type() != doc::Type::kArray) return Invalid("Each of compositeIndexes must be an array of paths");
  engine::IndexingDefinition::Composite composite;
  doc::Reader reader(value.AsDocument());
  while (auto entry = reader.Next()) {
    LAPSE_ASSIGN_OR_RETURN(engine::IndexingDefinition::CompositePath path, ReadPathOfComposite(entry->value));
    const bool twice =
        std::any_of(composite.begin(), composite.end(), [&](const auto& other) { return other.names == path.names; });
    if (twice) return Invalid("A composite index must not have a path twice");
    composite.push_back(std::move(path));
  }
  if (composite.size() < kCompositePathsMin || composite.size() > kCompositePathsMax) {
    return Invalid("A composite index must have 2 to 8 paths");
  }
  return composite;
}

Result<std::vector<engine::IndexingDefinition::Composite>> ReadComposites(doc::Value list) {
  std::vector<engine::IndexingDefinition::Composite> composites;
  if (IsAbsent(list)) return composites;
  if (list.type() != doc::Type::kArray) return Invalid("compositeIndexes must be an array");
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    if (composites.size() == kCompositesMax) return Invalid("A container may have 100 composite indexes");
    LAPSE_ASSIGN_OR_RETURN(engine::IndexingDefinition::Composite composite, ReadComposite(entry->value));
    if (std::find(composites.begin(), composites.end(), composite) != composites.end()) {
      return Invalid("A composite index is given more than once");
    }
    composites.push_back(std::move(composite));
  }
  return composites;
}

bool IsCompleted(std::string_view name) {
  return name == "indexingMode" || name == "automatic" || name == "includedPaths" || name == "excludedPaths";
}

}  // namespace

Result<std::string> IndexingMode(doc::Value policy) {
  if (!IsAbsent(policy) && policy.type() != doc::Type::kObject) return Invalid("indexingPolicy must be an object");
  doc::Value mode = FindIn(DocumentOf(policy), "indexingMode");
  if (IsAbsent(mode)) return std::string("consistent");
  if (mode.type() != doc::Type::kString) return Invalid("indexingMode must be a string");
  std::string text = LowerCase(mode.AsString());
  if (text != "consistent" && text != "lazy" && text != "none") {
    return Invalid("indexingMode must be 'consistent', 'lazy' or 'none'");
  }
  return text;
}

Status CompleteIndexingPolicy(doc::Value policy, Geometries geometries, std::string* out) {
  LAPSE_ASSIGN_OR_RETURN(std::string mode, IndexingMode(policy));
  std::string_view given = DocumentOf(policy);
  doc::Value automatic = FindIn(given, "automatic");
  if (!IsAbsent(automatic) && automatic.type() != doc::Type::kBool) {
    return Invalid("automatic of the indexing policy must be true or false");
  }
  SeenPaths seen;
  LAPSE_ASSIGN_OR_RETURN(PathList included, ReadPaths(given, "includedPaths", &seen));
  LAPSE_ASSIGN_OR_RETURN(PathList excluded, ReadPaths(given, "excludedPaths", &seen));
  LAPSE_RETURN_IF_ERROR(ReadComposites(FindIn(given, "compositeIndexes")).status());
  LAPSE_RETURN_IF_ERROR(CheckSpatialIndexes(FindIn(given, "spatialIndexes"), geometries));
  LAPSE_RETURN_IF_ERROR(CheckVectorIndexes(FindIn(given, "vectorIndexes")));
  LAPSE_RETURN_IF_ERROR(CheckFullTextIndexes(FindIn(given, "fullTextIndexes")));
  const IndexPath everything;
  const bool indexes = mode != "none";
  const bool include_everything = indexes && !included.given && !excluded.Has(everything);
  if (indexes && included.given && !included.Has(everything) && !excluded.Has(everything)) {
    return Invalid(
        "The special mandatory indexing path \"/\" is not provided in any of the path type sets. Please "
        "provide this path in one of the sets.");
  }
  const IndexPath etag{.names = {"_etag"}, .one_value = true};
  const bool exclude_etag = indexes && !excluded.Has(etag) && !included.Has(etag);

  doc::Writer writer(out);
  writer.BeginDocument();
  writer.AppendString("indexingMode", mode);
  writer.AppendBool("automatic", IsAbsent(automatic) ? true : automatic.AsBool());
  WritePaths(&writer, "includedPaths", included, include_everything ? kEverything : std::string_view());
  WritePaths(&writer, "excludedPaths", excluded, exclude_etag ? kEtag : std::string_view());
  if (!given.empty()) {
    doc::Reader reader(given);
    while (auto element = reader.Next()) {
      if (!IsCompleted(element->name)) writer.AppendValue(element->name, element->value);
    }
  }
  writer.End();
  return Status::Ok();
}

engine::IndexingDefinition IndexingOf(doc::Value completed) {
  engine::IndexingDefinition indexing;
  const std::string_view policy = completed.AsDocument();
  if (doc::Find(policy, "indexingMode").AsString() == "none") return indexing;
  AddPaths(doc::Find(policy, "includedPaths"), true, &indexing);
  AddPaths(doc::Find(policy, "excludedPaths"), false, &indexing);
  const doc::Value automatic = doc::Find(policy, "automatic");
  indexing.automatic = automatic.type() != doc::Type::kBool || automatic.AsBool();
  auto composites = ReadComposites(doc::Find(policy, "compositeIndexes"));
  if (composites.ok()) indexing.composites = *std::move(composites);
  IndexPlaces(doc::Find(policy, "spatialIndexes"), &indexing);
  return indexing;
}

}  // namespace lapse::api::cosmos
