// The indexes of an indexing policy beside those of paths and composites: their form is checked as the service does it.
// Vector and full text indexes are stored and shown, and no query uses them.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "doc/value.h"
#include "engine/records/index/indexing_definition.h"

namespace lapse::api::cosmos {

// What the container's geometries are: the type of its geospatialConfig.
enum class Geometries : uint8_t {
  kOnEarth,  // Geography
  kFlat,     // Geometry: an index needs to know the box that they lie in
};

// Nothing is right, too. Each fails with kInvalidArgument.
Status CheckSpatialIndexes(doc::Value list, Geometries geometries);
// Adds the paths of a list that was checked to what is indexed. All geometries that lie there count, of whichever type.
void IndexPlaces(doc::Value list, engine::IndexingDefinition* indexing);
Status CheckVectorIndexes(doc::Value list);
Status CheckFullTextIndexes(doc::Value list);
// `indexes` of an entry of includedPaths, which older clients send: nothing depends on it.
Status CheckIndexesOfPath(doc::Value entry);

}  // namespace lapse::api::cosmos
