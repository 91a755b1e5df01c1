// Cells of the earth: which of them a geometry may touch. Entries of spatial indexes are such cells
// (docs/design/query.md, "Spatial indexes").
//
// The earth is seen from its centre, as directions are (sphere.h): a cube around it has six faces, each is a square
// from -1 to 1 both ways, and each square has four quarters, down to level 20. Edges of cells are arcs, as those of
// geometries are; poles and meridians are places like any other.
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

// How many cells stand for a geometry at the most.
constexpr size_t kCellsOfItem = 16;
constexpr size_t kCellsOfQuery = 32;

// All that is within so many metres of the geometry is in these cells, by every measure of spatial_relations.h. They
// may cover more. `count_max` is at least six: the faces, which are everything.
std::vector<EarthCell> CellsAround(const PreparedGeometry& geometry, double distance_m, size_t count_max);
std::vector<EarthCell> AllCells();

// 7 bytes: 3 bits for the face, 2 bits for each quarter on the way down (across, up), zeros up to 48 bits; the level.
std::string BytesOf(const EarthCell& cell);

// Names these bytes in the definition of an index. Other bytes, or other cells for the same geometry, need another
// name.
inline constexpr std::string_view kCellsRule = "cells 1";

struct CellRange {
  std::string lower;  // inclusive
  std::string upper;  // exclusive
};
// Where the bytes of all cells lie that share a place with one of these: those inside of it, it, and those around it.
// In order, apart from each other.
std::vector<CellRange> RangesAround(const std::vector<EarthCell>& cells);

}  // namespace lapse::query
