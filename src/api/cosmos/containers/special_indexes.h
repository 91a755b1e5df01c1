// The indexes of an indexing policy that are stored and shown, and that no query uses yet: their form is checked as the
// service does it.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

// What the container's geometries are: the type of its geospatialConfig.
enum class Geometries : uint8_t {
  kOnEarth,  // Geography
  kFlat,     // Geometry: an index needs to know the box that they lie in
};

// Nothing is right, too. Each fails with kInvalidArgument.
Status CheckSpatialIndexes(doc::Value list, Geometries geometries);
Status CheckVectorIndexes(doc::Value list);
Status CheckFullTextIndexes(doc::Value list);
// `indexes` of an entry of includedPaths, which older clients send: nothing depends on it.
Status CheckIndexesOfPath(doc::Value entry);

}  // namespace lapse::api::cosmos
