// Indexes of an indexing policy other than paths and composites. Their form is checked as the service does it. Vector
// and full text indexes are stored and returned, but no query uses them.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "doc/value.h"
#include "engine/records/index/indexing_definition.h"

namespace lapse::api::cosmos {

// The kind of the container's geometries: the type of its geospatialConfig.
enum class Geometries : uint8_t {
  kOnEarth,  // Geography
  kFlat,     // Geometry: an index needs their bounding box
};

// A missing list is valid, too. Each fails with kInvalidArgument.
Status CheckSpatialIndexes(doc::Value list, Geometries geometries);
// Adds the paths of a checked list to the index. It covers all geometries at these paths, whatever their type.
void IndexPlaces(doc::Value list, engine::IndexingDefinition* indexing);
Status CheckVectorIndexes(doc::Value list);
Status CheckFullTextIndexes(doc::Value list);
// Checks `indexes` of an entry of includedPaths. Older clients send it, and it has no effect.
Status CheckIndexesOfPath(doc::Value entry);

}  // namespace lapse::api::cosmos
