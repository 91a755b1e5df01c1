// Tests that geometries near each other share a cell, everywhere on the earth.
#include "query/functions/earth_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "doc/json.h"
#include "doc/value.h"
#include "query/functions/spatial_relations.h"

namespace lapse::query {
namespace {

using Position = std::pair<double, double>;  // longitude, latitude

class EarthCellsTest : public testing::Test {
 protected:
  static std::string Text(const Position& at) {
    char text[64];
    std::snprintf(text, sizeof(text), "[%.9f,%.9f]", at.first, at.second);
    return text;
  }
  static std::string List(const std::vector<Position>& positions) {
    std::string text;
    for (const Position& one : positions) text += (text.empty() ? "" : ",") + Text(one);
    return "[" + text + "]";
  }
  static std::string Point(const Position& at) { return R"({"type":"Point","coordinates":)" + Text(at) + "}"; }
  static std::string Line(const std::vector<Position>& positions) {
    return R"({"type":"LineString","coordinates":)" + List(positions) + "}";
  }
  static std::string Polygon(std::vector<Position> ring) {
    ring.push_back(ring.front());
    return R"({"type":"Polygon","coordinates":[)" + List(ring) + "]}";
  }

  const PreparedGeometry& Read(const std::string& json) {
    std::string& bson = documents_.emplace_back();
    EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
    EXPECT_TRUE(PrepareGeometry(Value::Object(bson), &arena_, &geometries_.emplace_back())) << json;
    return geometries_.back();
  }

  // Whether a query around `query` finds an item with the other geometry.
  static bool Finds(const PreparedGeometry& query, double distance_m, const PreparedGeometry& item) {
    const std::vector<CellRange> ranges = RangesAround(CellsAround(query, distance_m, kCellsOfQuery));
    const std::vector<EarthCell> cells = CellsAround(item, 0, kCellsOfItem);
    return std::any_of(cells.begin(), cells.end(), [&](const EarthCell& cell) {
      const std::string bytes = BytesOf(cell);
      return std::any_of(ranges.begin(), ranges.end(),
                         [&](const CellRange& range) { return range.lower <= bytes && bytes < range.upper; });
    });
  }

  // Anywhere, and often at a boundary.
  Position RandomPosition() {
    constexpr double kLongitudes[] = {-180, -135, -90, -45, 0, 45, 90, 135, 180};
    constexpr double kLatitudes[] = {-90, -45, -35.264389683, 0, 35.264389683, 45, 90};
    const auto near = [&](double value, double limit) {
      const double offset = Below(2) == 0 ? 0 : std::pow(10.0, -Below(9)) * (Below(2) == 0 ? 1 : -1);
      return std::clamp(value + offset, -limit, limit);
    };
    if (Below(2) == 0) return {Real(-180, 180), std::asin(Real(-1, 1)) * 57.29577951308232};
    return {near(kLongitudes[Below(std::size(kLongitudes))], 180), near(kLatitudes[Below(std::size(kLatitudes))], 90)};
  }
  Position Beside(const Position& at, double degrees) {
    double longitude = at.first + Real(-degrees, degrees) / std::max(0.01, std::cos(at.second / 57.29577951308232));
    longitude = std::remainder(longitude, 360);
    return {longitude, std::clamp(at.second + Real(-degrees, degrees), -90.0, 90.0)};
  }
  std::string RandomGeometry(const Position& at) {
    const double degrees = std::pow(10.0, Real(-5, 1.7));
    switch (Below(4)) {
      case 0: return Line({Beside(at, degrees), Beside(at, degrees)});
      case 1: return Polygon({Beside(at, degrees), Beside(at, degrees), Beside(at, degrees)});
      case 2: return Line({Beside(at, degrees), Beside(at, degrees), Beside(at, degrees / 10)});
      default: return Point(Beside(at, degrees));
    }
  }

  size_t Below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random_); }
  double Real(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }

  std::mt19937_64 random_{20'251'116};
  Arena arena_{size_t{1} << 30};
  std::deque<std::string> documents_;
  std::deque<PreparedGeometry> geometries_;
};

TEST_F(EarthCellsTest, BytesAreFaceQuartersAndLevel) {
  EXPECT_EQ(BytesOf({.face = 5}), std::string("\xA0\0\0\0\0\0\0", 7));
  EXPECT_EQ(BytesOf({.face = 1, .level = 2, .across = 2, .up = 1}), std::string("\x32\0\0\0\0\0\x02", 7));
  EXPECT_EQ(BytesOf({.face = 0, .level = 20, .across = 0xFFFFF, .up = 0xFFFFF}).size(), 7u);
}

TEST_F(EarthCellsTest, APointHasOneSmallCellAlmostEverywhere) {
  size_t count = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<EarthCell> cells = CellsAround(Read(Point({Real(-180, 180), Real(-80, 80)})), 0, kCellsOfItem);
    count += cells.size();
    for (const EarthCell& cell : cells) EXPECT_EQ(cell.level, EarthCell::kLevelMax);
  }
  EXPECT_LE(count, 210u);
  // A corner of three faces. A pole is in the middle of a face.
  EXPECT_GE(CellsAround(Read(Point({45, 35.446108})), 0, kCellsOfItem).size(), 1u);
  EXPECT_EQ(CellsAround(Read(Point({45, 90})), 0, kCellsOfItem).size(), 4u);
}

TEST_F(EarthCellsTest, APoleIsOnePlaceAndSoIsTheAntimeridian) {
  const auto cells = [&](const std::string& json) {
    std::set<std::string> bytes;
    for (const EarthCell& cell : CellsAround(Read(json), 0, kCellsOfItem)) bytes.insert(BytesOf(cell));
    return bytes;
  };
  EXPECT_EQ(cells(Point({0, 90})), cells(Point({123, 90})));
  EXPECT_EQ(cells(Point({0, -90})), cells(Point({-77, -90})));
  EXPECT_EQ(cells(Point({180, 12})), cells(Point({-180, 12})));
}

TEST_F(EarthCellsTest, ASmallRegionHasSmallCells) {
  const std::vector<EarthCell> cells = CellsAround(Read(Point({13.4, 52.5})), 1000, kCellsOfQuery);
  EXPECT_LE(cells.size(), kCellsOfQuery);
  for (const EarthCell& cell : cells) EXPECT_GE(cell.level, 12);
}

TEST_F(EarthCellsTest, WhatIsTooLongOrTooFarIsEverywhere) {
  EXPECT_EQ(CellsAround(Read(Line({{0, 0}, {179, 1}})), 0, kCellsOfItem), AllCells());
  EXPECT_EQ(CellsAround(Read(Point({0, 0})), 2e7, kCellsOfQuery), AllCells());
  EXPECT_EQ(CellsAround(Read(Point({0, 0})), HUGE_VAL, kCellsOfQuery), AllCells());
}

TEST_F(EarthCellsTest, TheCellsOfAGeometryAreFew) {
  std::vector<Position> ring;
  for (int i = 0; i < 2000; ++i) {
    const double angle = i * 2 * 3.14159265358979 / 2000;
    ring.emplace_back(20 + 10 * std::cos(angle), 30 + 10 * std::sin(angle));
  }
  const std::vector<EarthCell> cells = CellsAround(Read(Polygon(ring)), 0, kCellsOfItem);
  EXPECT_LE(cells.size(), kCellsOfItem);
  EXPECT_GE(cells.size(), kCellsOfItem / 2);
}

TEST_F(EarthCellsTest, WhatSharesAPlaceSharesACell) {
  int met = 0;
  for (int i = 0; i < 400; ++i) {
    const Position at = RandomPosition();
    const std::string first = RandomGeometry(at);
    const std::string second = RandomGeometry(at);
    const PreparedGeometry& a = Read(first);
    const PreparedGeometry& b = Read(second);
    if (!Intersects(a, b) && !IsWithin(a, b) && !IsWithin(b, a)) continue;
    ++met;
    ASSERT_TRUE(Finds(a, 0, b)) << first << "\n" << second;
    ASSERT_TRUE(Finds(b, 0, a)) << first << "\n" << second;
  }
  EXPECT_GT(met, 40);
}

// Corners on one great circle enclose half of the earth, all of it or nothing, depending on rounding.
TEST_F(EarthCellsTest, WhatIsWithinCornersOnOneGreatCircleIsFound) {
  const std::vector<std::vector<Position>> rings = {
      {{-120, 90}, {180, 35.2644}, {0, 35.2644}},
      {{0, 35.2644}, {180, 35.2644}, {-120, 90}},
      {{0, 0}, {120, 0}, {-120, 0}},
      {{10, 20}, {10, 60}, {-170, 70}, {-170, -20}},
      {{90, 0}, {90, 80}, {-90, 40}, {-90, -40}, {90, -70}},
  };
  for (const std::vector<Position>& ring : rings) {
    const std::string polygon = Polygon(ring);
    const PreparedGeometry& region = Read(polygon);
    for (int i = 0; i < 300; ++i) {
      const std::string point = Point(RandomPosition());
      const PreparedGeometry& item = Read(point);
      if (!IsWithin(item, region)) continue;
      ASSERT_TRUE(Finds(region, 0, item)) << polygon << "\n" << point;
    }
  }
}

TEST_F(EarthCellsTest, WhatIsNearSharesACellWithTheSurroundings) {
  for (int i = 0; i < 250; ++i) {
    const Position at = RandomPosition();
    const std::string first = RandomGeometry(at);
    const std::string second = RandomGeometry(at);
    const PreparedGeometry& a = Read(first);
    const PreparedGeometry& b = Read(second);
    const double distance_m = DistanceBetween(a, b);
    ASSERT_TRUE(Finds(a, distance_m, b)) << distance_m << " " << first << "\n" << second;
    ASSERT_TRUE(Finds(b, distance_m, a)) << distance_m << " " << first << "\n" << second;
  }
}

// The path that distances are measured to deviates little from an arc, and cells rely on that.
TEST_F(EarthCellsTest, LongEdgesAreCoveredAsDistancesAreMeasured) {
  for (int i = 0; i < 250; ++i) {
    const std::string line = Line({RandomPosition(), RandomPosition()});
    const std::string point = Point(RandomPosition());
    const PreparedGeometry& a = Read(line);
    const PreparedGeometry& b = Read(point);
    const double distance_m = DistanceBetween(a, b);
    ASSERT_TRUE(Finds(b, distance_m, a)) << distance_m << " " << line << "\n" << point;
    ASSERT_TRUE(Finds(a, distance_m, b)) << distance_m << " " << line << "\n" << point;
  }
}

}  // namespace
}  // namespace lapse::query
