// Cells of the earth, and which of them a geometry may touch. The entries of spatial indexes are such cells
// (docs/design/query.md, "Spatial indexes").
//
// The earth is viewed as directions from its centre (sphere.h). A cube around it has six faces. Each face is a square
// from -1 to 1 on both axes, divided into quarters down to level 20. Edges of cells are arcs, like those of geometries.
// Poles and meridians need no special treatment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/functions/prepared_geometry.h"

namespace lapse::query {

struct EarthCell {
  static constexpr int kFaces = 6;
  static constexpr int kLevelMax = 20;  // some 10 m

  uint8_t face = 0;
  uint8_t level = 0;
  uint32_t across = 0;  // of the 2^level columns of the face
  uint32_t up = 0;      // of its rows

  bool operator==(const EarthCell&) const = default;
};

// The most cells that represent a geometry.
constexpr size_t kCellsOfItem = 16;
constexpr size_t kCellsOfQuery = 32;

// Returns cells that contain every point within this many metres of the geometry, by every measure of
// spatial_relations.h. They may cover more. `count_max` is at least six: the six faces cover everything.
std::vector<EarthCell> CellsAround(const PreparedGeometry& geometry, double distance_m, size_t count_max);
std::vector<EarthCell> AllCells();

// Returns 7 bytes: 3 bits for the face, 2 bits for each quarter on the way down (across, up), zeros up to 48 bits; then
// the level.
std::string BytesOf(const EarthCell& cell);

// Names this encoding in the definition of an index. A change in the bytes, or in the cells of a geometry, needs
// another name.
inline constexpr std::string_view kCellsRule = "cells 1";

struct CellRange {
  std::string lower;  // inclusive
  std::string upper;  // exclusive
};
// Returns the byte ranges of all cells that overlap one of these: the cells inside it, itself, and those around it.
// Ascending and disjoint.
std::vector<CellRange> RangesAround(const std::vector<EarthCell>& cells);

}  // namespace lapse::query
