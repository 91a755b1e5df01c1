#include "api/cosmos/containers/definition/special_indexes.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cosmos/containers/definition/index_path.h"
#include "api/cosmos/wire/request_body.h"
#include "api/invalid.h"
#include "query/functions/earth_cells.h"

namespace lapse::api::cosmos {
namespace {

// The same limit for each kind as for included paths.
constexpr size_t kSpecialIndexesMax = 1500;

bool IsOneOf(doc::Value value, const std::vector<std::string_view>& known) {
  return value.type() == doc::Type::kString && std::find(known.begin(), known.end(), value.AsString()) != known.end();
}

// Calls `check` with each object of the list.
template <typename Check>
Status ForEachObject(doc::Value list, const std::string& name, const Check& check) {
  if (IsAbsent(list)) return Status::Ok();
  if (list.type() != doc::Type::kArray) return Invalid(name + " must be an array");
  size_t count = 0;
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    if (++count > kSpecialIndexesMax) return Invalid(name + " has too many entries");
    if (entry->value.type() != doc::Type::kObject) return Invalid("An entry of " + name + " must be an object");
    LAPSE_RETURN_IF_ERROR(check(entry->value.AsDocument()));
  }
  return Status::Ok();
}

Result<std::string_view> PathText(std::string_view entry, const std::string& list) {
  const doc::Value path = doc::Find(entry, "path");
  if (path.type() == doc::Type::kString) return path.AsString();
  return Invalid("An entry of " + list + " must have a string 'path'");
}

Status CheckSpatialTypes(doc::Value types) {
  if (types.type() != doc::Type::kArray) return Invalid("types of a spatial index must be an array");
  std::set<std::string_view> seen;
  doc::Reader reader(types.AsDocument());
  while (auto type = reader.Next()) {
    if (!IsOneOf(type->value, {"Point", "LineString", "Polygon", "MultiPolygon"})) {
      return Invalid("A type of a spatial index must be 'Point', 'LineString', 'Polygon' or 'MultiPolygon'");
    }
    if (!seen.insert(type->value.AsString()).second) return Invalid("A spatial index must not have a type twice");
  }
  return seen.empty() ? Invalid("A spatial index must have types") : Status::Ok();
}

Status CheckBox(doc::Value box, Geometries geometries) {
  if (geometries == Geometries::kOnEarth) {
    if (IsAbsent(box)) return Status::Ok();
    return Invalid(
        "A spatial index has a boundingBox only in a container whose geospatialConfig is of type 'Geometry'");
  }
  constexpr std::string_view kWrong =
      "In a container whose geospatialConfig is of type 'Geometry' a spatial index must have a boundingBox with "
      "numbers "
      "xmin, ymin, xmax and ymax, the least below the greatest";
  if (box.type() != doc::Type::kObject) return Invalid(std::string(kWrong));
  auto is_below = [&](std::string_view least, std::string_view greatest) {
    const doc::Value low = doc::Find(box.AsDocument(), least);
    const doc::Value high = doc::Find(box.AsDocument(), greatest);
    return low.IsNumber() && high.IsNumber() && low.AsDouble() < high.AsDouble();
  };
  return is_below("xmin", "xmax") && is_below("ymin", "ymax") ? Status::Ok() : Invalid(std::string(kWrong));
}

}  // namespace

Status CheckSpatialIndexes(doc::Value list, Geometries geometries) {
  std::set<std::pair<std::vector<std::string>, bool>> seen;
  return ForEachObject(list, "spatialIndexes", [&](std::string_view entry) -> Status {
    LAPSE_ASSIGN_OR_RETURN(const std::string_view text, PathText(entry, "spatialIndexes"));
    LAPSE_ASSIGN_OR_RETURN(IndexPath path, ReadIndexPath(text));
    if (!seen.emplace(std::move(path.names), path.one_value).second) {
      return Invalid("A path is given more than once in spatialIndexes");
    }
    LAPSE_RETURN_IF_ERROR(CheckSpatialTypes(doc::Find(entry, "types")));
    return CheckBox(doc::Find(entry, "boundingBox"), geometries);
  });
}

void IndexPlaces(doc::Value list, engine::IndexingDefinition* indexing) {
  if (list.type() != doc::Type::kArray) return;
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    Result<IndexPath> path = ReadIndexPath(doc::Find(entry->value.AsDocument(), "path").AsString());
    if (path.ok()) indexing->marked.push_back({std::move(path->names), path->one_value});
  }
  if (!indexing->marked.empty()) indexing->mark_rule = query::kCellsRule;
}

Status CheckVectorIndexes(doc::Value list) {
  return ForEachObject(list, "vectorIndexes", [](std::string_view entry) -> Status {
    LAPSE_ASSIGN_OR_RETURN(const std::string_view text, PathText(entry, "vectorIndexes"));
    LAPSE_RETURN_IF_ERROR(ReadCompositePath(text).status());
    if (IsOneOf(doc::Find(entry, "type"), {"flat", "quantizedFlat", "diskANN"})) return Status::Ok();
    return Invalid("The type of a vector index must be 'flat', 'quantizedFlat' or 'diskANN'");
  });
}

Status CheckFullTextIndexes(doc::Value list) {
  return ForEachObject(list, "fullTextIndexes", [](std::string_view entry) -> Status {
    LAPSE_ASSIGN_OR_RETURN(const std::string_view text, PathText(entry, "fullTextIndexes"));
    return ReadCompositePath(text).status();
  });
}

Status CheckIndexesOfPath(doc::Value entry) {
  return ForEachObject(doc::Find(entry.AsDocument(), "indexes"), "indexes", [](std::string_view index) -> Status {
    const doc::Value type = doc::Find(index, "dataType");
    if (!IsOneOf(doc::Find(index, "kind"), {"Hash", "Range", "Spatial"})) {
      return Invalid("The kind of an index must be 'Hash', 'Range' or 'Spatial'");
    }
    if (IsAbsent(type) || IsOneOf(type, {"Number", "String", "Point", "LineString", "Polygon", "MultiPolygon"})) {
      return Status::Ok();
    }
    return Invalid(
        "The dataType of an index must be 'Number', 'String', 'Point', 'LineString', 'Polygon' or "
        "'MultiPolygon'");
  });
}

}  // namespace lapse::api::cosmos
