#include "query/functions/earth_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <iterator>
#include <numbers>
#include <span>
#include <utility>

namespace lapse::query {
namespace {

// A path on the ellipsoid of this many metres never turns the direction by more than metres / kLeastRadius_m.
constexpr double kLeastRadius_m = 6'356'752.314;
// Exceeds all rounding, and is far above kTouchAngle: 6 mm.
constexpr double kMargin = 1e-9;
// Distances are measured to the shortest path between the ends of an edge. It deviates from the arc by less than this
// times the square of the edge's angle. Between nearly opposite points it may go any way around.
constexpr double kBesidePart = 2e-3;
constexpr double kEdgeAngleMax = 2 * std::numbers::pi / 3;
constexpr double kDistanceAngleMax = std::numbers::pi / 2;
// The most edges that one covering may examine. Cells that are not refined by then stay as they are.
constexpr int64_t kLooksMax = 1'000'000;

constexpr int kPathBits = 48;
constexpr int kFaceBits = 3;

// Each face has one axis of the earth through its middle, and the other two along its sides.
struct FaceAxes {
  size_t through;
  size_t across;
  size_t up;
  double sign;

  explicit FaceAxes(int face)
      : through(static_cast<size_t>(face / 2)),
        across((through + 1) % 3),
        up((through + 2) % 3),
        sign(face % 2 == 0 ? 1 : -1) {}
};

Vector DirectionOnFace(int face, double across, double up) {
  const FaceAxes axes(face);
  std::array<double, 3> at{};
  at[axes.through] = axes.sign;
  at[axes.across] = across;
  at[axes.up] = up;
  const double length = std::sqrt(1 + across * across + up * up);
  return {at[0] / length, at[1] / length, at[2] / length};
}

// The whole cell is within the radius of its centre.
struct Cap {
  Vector centre;
  double radius = 0;
};

Cap CapOf(const EarthCell& cell) {
  const double size = std::ldexp(2.0, -cell.level);
  const double across = -1 + size * cell.across;
  const double up = -1 + size * cell.up;
  const Vector centre = DirectionOnFace(cell.face, across + size / 2, up + size / 2);
  // Distance to the farthest corner.
  double chord_squared = 0;
  for (const double a : {across, across + size}) {
    for (const double u : {up, up + size}) {
      const Vector corner = DirectionOnFace(cell.face, a, u);
      const double x = corner.x - centre.x;
      const double y = corner.y - centre.y;
      const double z = corner.z - centre.z;
      chord_squared = std::max(chord_squared, x * x + y * y + z * z);
    }
  }
  return {centre, 2 * std::asin(std::sqrt(chord_squared) / 2)};
}

std::array<EarthCell, 4> QuartersOf(const EarthCell& cell) {
  std::array<EarthCell, 4> quarters;
  for (uint32_t i = 0; i < quarters.size(); ++i) {
    quarters[i] = {cell.face, static_cast<uint8_t>(cell.level + 1), 2 * cell.across + i / 2, 2 * cell.up + i % 2};
  }
  return quarters;
}

// Returns the smallest cells that contain the point: one, or several if it is near their edges.
std::vector<EarthCell> CellsAt(const Vector& direction) {
  // A margin in face coordinates, which change up to three times as fast as the angle.
  constexpr double kNextTo = 4 * kMargin;
  constexpr double kColumns = 1 << EarthCell::kLevelMax;
  const std::array<double, 3> at = {direction.x, direction.y, direction.z};
  const auto columns = [&](double coordinate) {
    const auto column = [&](double c) {
      return static_cast<uint32_t>(std::clamp(std::floor((c + 1) / 2 * kColumns), 0.0, kColumns - 1));
    };
    return std::pair(column(coordinate - kNextTo), column(coordinate + kNextTo));
  };
  std::vector<EarthCell> cells;
  for (int face = 0; face < EarthCell::kFaces; ++face) {
    const FaceAxes axes(face);
    const double through = axes.sign * at[axes.through];
    if (through < 0.5) continue;  // at the corner of a face it is 0.577
    const double across = at[axes.across] / through;
    const double up = at[axes.up] / through;
    if (std::abs(across) > 1 + kNextTo || std::abs(up) > 1 + kNextTo) continue;
    const auto [across_first, across_last] = columns(across);
    const auto [up_first, up_last] = columns(up);
    for (uint32_t a = across_first; a <= across_last; ++a) {
      for (uint32_t u = up_first; u <= up_last; ++u) {
        cells.push_back({static_cast<uint8_t>(face), EarthCell::kLevelMax, a, u});
      }
    }
  }
  return cells;
}

// An edge, or a point as an edge without length.
struct Side {
  Vector begin;
  Vector end;
  Vector middle;
  double half_angle;
  double beside;  // things within this distance count as on it
};

class Covering {
 public:
  Covering(const PreparedGeometry& geometry, double distance_m, size_t count_max)
      : geometry_(geometry), angle_(std::max(0.0, distance_m) / kLeastRadius_m + kMargin), count_max_(count_max) {
    for (const PreparedPiece& piece : geometry.pieces) {
      if (piece.points.size() == 1) {
        const Vector& at = piece.points.front().direction;
        sides_.push_back({at, at, at, 0, angle_});
      }
      AddSides(piece.edges);
      if (piece.polygon == nullptr) continue;
      for (const PreparedRing& ring : piece.polygon->rings()) AddSides(ring.edges());
    }
  }

  std::vector<EarthCell> Find() {
    const bool too_long =
        std::any_of(sides_.begin(), sides_.end(), [](const Side& side) { return 2 * side.half_angle > kEdgeAngleMax; });
    if (too_long || !(angle_ <= kDistanceAngleMax)) return AllCells();
    std::vector<uint32_t> all(sides_.size());
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    for (const EarthCell& face : AllCells()) Look(face, all, &open_);
    while (!open_.empty()) {
      Part part = std::move(open_.front());
      open_.pop_front();
      // Wholly inside, as small as cells get, or out of examinations.
      if (part.near.empty() || part.cell.level == EarthCell::kLevelMax || looks_left_ <= 0) {
        found_.push_back(part.cell);
        continue;
      }
      std::deque<Part> quarters;
      for (const EarthCell& quarter : QuartersOf(part.cell)) Look(quarter, part.near, &quarters);
      if (found_.size() + open_.size() + quarters.size() > count_max_) {
        found_.push_back(part.cell);
        continue;
      }
      std::move(quarters.begin(), quarters.end(), std::back_inserter(open_));
    }
    return std::move(found_);
  }

 private:
  struct Part {
    EarthCell cell;
    std::vector<uint32_t> near;  // sides that come near it; empty: the whole cell is inside
  };

  void AddSides(std::span<const PreparedEdge> edges) {
    for (const PreparedEdge& edge : edges) {
      const double angle = 2 * edge.half_angle;
      sides_.push_back({edge.begin->direction, edge.end->direction, edge.middle, edge.half_angle,
                        angle_ + kBesidePart * angle * angle});
    }
  }

  // Adds the cell if the geometry may come near it. If the centre is inside a polygon and no side is near, the whole
  // cell is inside: no path from the centre to a point of the cell crosses a side.
  void Look(const EarthCell& cell, const std::vector<uint32_t>& sides, std::deque<Part>* parts) {
    const Cap cap = CapOf(cell);
    Part part{cell, {}};
    for (const uint32_t i : sides) {
      const Side& side = sides_[i];
      const double reach = cap.radius + side.beside;
      if (!MayBeWithin(side.middle, cap.centre, side.half_angle + reach)) continue;
      if (AngleToArc(cap.centre, side.begin, side.end) <= reach) part.near.push_back(i);
    }
    looks_left_ -= static_cast<int64_t>(sides.size());
    if (!part.near.empty() || IsInside(cap.centre)) parts->push_back(std::move(part));
  }

  bool IsInside(const Vector& direction) {
    const GeoPoint point = PointAt(direction);
    return std::any_of(geometry_.pieces.begin(), geometry_.pieces.end(), [&](const PreparedPiece& piece) {
      if (piece.polygon == nullptr) return false;
      for (const PreparedRing& ring : piece.polygon->rings()) looks_left_ -= static_cast<int64_t>(ring.edges().size());
      return piece.polygon->PlaceOf(point) != Place::kOutside;
    });
  }

  const PreparedGeometry& geometry_;
  const double angle_;
  const size_t count_max_;
  std::vector<Side> sides_;
  std::deque<Part> open_;  // largest first
  std::vector<EarthCell> found_;
  int64_t looks_left_ = kLooksMax;
};

// Returns the face and the quarters, left-aligned in kPathBits bits.
uint64_t PathOf(const EarthCell& cell) {
  uint64_t path = cell.face;
  for (int level = cell.level - 1; level >= 0; --level) {
    path = path << 2 | (cell.across >> level & 1) << 1 | (cell.up >> level & 1);
  }
  return path << (kPathBits - kFaceBits - 2 * cell.level);
}

void PutPath(uint64_t path, std::string* bytes) {
  for (int shift = kPathBits - 8; shift >= 0; shift -= 8) bytes->push_back(static_cast<char>(path >> shift));
}

// Returns the range of the cell itself and everything inside it.
CellRange RangeWithin(const EarthCell& cell) {
  const uint64_t path = PathOf(cell);
  CellRange range;
  PutPath(path, &range.lower);
  // None of the six faces is at the end of the number range.
  PutPath(path + (uint64_t{1} << (kPathBits - kFaceBits - 2 * cell.level)), &range.upper);
  return range;
}

}  // namespace

std::vector<EarthCell> AllCells() {
  std::vector<EarthCell> faces(EarthCell::kFaces);
  for (size_t i = 0; i < faces.size(); ++i) faces[i].face = static_cast<uint8_t>(i);
  return faces;
}

std::vector<EarthCell> CellsAround(const PreparedGeometry& geometry, double distance_m, size_t count_max) {
  const bool is_point = geometry.geometry.points.size() == 1 && distance_m == 0;
  if (is_point) return CellsAt(geometry.geometry.points.front().direction);
  return Covering(geometry, distance_m, count_max).Find();
}

std::string BytesOf(const EarthCell& cell) {
  std::string bytes;
  PutPath(PathOf(cell), &bytes);
  bytes.push_back(static_cast<char>(cell.level));
  return bytes;
}

std::vector<CellRange> RangesAround(const std::vector<EarthCell>& cells) {
  std::vector<CellRange> ranges;
  for (EarthCell cell : cells) {
    ranges.push_back(RangeWithin(cell));
    while (cell.level > 0) {
      cell = {cell.face, static_cast<uint8_t>(cell.level - 1), cell.across / 2, cell.up / 2};
      const std::string one = BytesOf(cell);
      std::string next = one;
      ++next.back();  // a level is never the greatest byte
      ranges.push_back({one, std::move(next)});
    }
  }
  std::sort(ranges.begin(), ranges.end(), [](const CellRange& a, const CellRange& b) { return a.lower < b.lower; });
  std::vector<CellRange> apart;
  for (CellRange& range : ranges) {
    if (!apart.empty() && range.lower <= apart.back().upper) {
      apart.back().upper = std::max(apart.back().upper, range.upper);
    } else {
      apart.push_back(std::move(range));
    }
  }
  return apart;
}

}  // namespace lapse::query
