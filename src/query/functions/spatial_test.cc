#include "query/functions/spatial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>
#include <string_view>

#include "query/functions/geometry_cache.h"
#include "query/functions/test_eval.h"

namespace lapse::query::functions {
namespace {

std::string Point(std::string_view at) {
  return std::string("{'type':'Point','coordinates':[").append(at).append("]}");
}
std::string Line(std::string_view points) {
  return std::string("{'type':'LineString','coordinates':[").append(points).append("]}");
}
std::string Polygon(std::string_view rings) {
  return std::string("{'type':'Polygon','coordinates':[").append(rings).append("]}");
}
std::string MultiPolygon(std::string_view polygons) {
  return std::string("{'type':'MultiPolygon','coordinates':[").append(polygons).append("]}");
}

// Squares of one degree and of ten, counter-clockwise; the small one clockwise; another one beside it.
constexpr std::string_view kUnit = "[[0,0],[1,0],[1,1],[0,1],[0,0]]";
constexpr std::string_view kUnitClockwise = "[[0,0],[0,1],[1,1],[1,0],[0,0]]";
constexpr std::string_view kTen = "[[-5,-5],[5,-5],[5,5],[-5,5],[-5,-5]]";
constexpr std::string_view kBeside = "[[2,0],[3,0],[3,1],[2,1],[2,0]]";

class SpatialTest : public FunctionTest {
 protected:
  double Number(const Function& function, const std::string& arguments) {
    const Value value = Call(function, values_.List(arguments));
    EXPECT_TRUE(value.IsNumber()) << arguments;
    return value.IsNumber() ? value.AsDouble() : NAN;
  }
  std::string Two(const Function& function, const std::string& a, const std::string& b) {
    return Eval(function, a + "," + b);
  }
  std::string Reason(const std::string& geometry) {
    const Value result = Call(kStIsValidDetailed, values_.List(geometry));
    const bool valid = Property(result, "valid").IsTrue();
    EXPECT_EQ(Eval(kStIsValid, geometry), valid ? "true" : "false");
    return valid ? "" : std::string(Property(result, "reason").AsString());
  }
};

// A regular polygon of many points.
std::string Circle(double longitude, double latitude, double radius, int points) {
  std::string ring = "[";
  for (int i = 0; i <= points; ++i) {
    const double angle = 2 * std::numbers::pi * (i % points) / points;
    char text[80];
    std::snprintf(text, sizeof(text), "%s[%.12f,%.12f]", i > 0 ? "," : "", longitude + radius * std::cos(angle),
                  latitude + radius * std::sin(angle));
    ring.append(text);
  }
  return ring.append("]");
}

TEST_F(SpatialTest, DistanceOfPointsIsThatOfTheEllipsoid) {
  EXPECT_NEAR(Number(kStDistance, Point("0,0") + "," + Point("1,0")), 111319.490793274, 1e-6);
  EXPECT_NEAR(Number(kStDistance, Point("0,0") + "," + Point("0,1")), 110574.388557799, 1e-6);
  EXPECT_NEAR(Number(kStDistance, Point("0,0") + "," + Point("0,90")), 10001965.729313, 1e-3);
  EXPECT_NEAR(Number(kStDistance, Point("179.5,0") + "," + Point("-179.5,0")), 111319.490793274, 1e-6);
  EXPECT_EQ(Two(kStDistance, Point("10,20"), Point("10,20")), "0");
  EXPECT_EQ(Two(kStDistance, Point("10,20,300"), Point("10,20")), "0");
}

TEST_F(SpatialTest, DistanceOfLinesAndPolygons) {
  const std::string equator = Line("[0,0],[1,0]");
  EXPECT_NEAR(Number(kStDistance, Point("0.5,1") + "," + equator), 110574.388557799, 1e-5);
  EXPECT_NEAR(Number(kStDistance, equator + "," + Point("0.5,1")), 110574.388557799, 1e-5);
  EXPECT_NEAR(Number(kStDistance, Point("2,0") + "," + equator), 111319.490793274, 1e-5);
  EXPECT_NEAR(Number(kStDistance, Line("[0.5,1],[0.5,2]") + "," + equator), 110574.388557799, 1e-5);
  EXPECT_EQ(Two(kStDistance, Point("0.5,0.5"), Polygon(kUnit)), "0");
  EXPECT_EQ(Two(kStDistance, Point("0.5,0"), equator), "0");
  EXPECT_NEAR(Number(kStDistance, Point("0.5,-1") + "," + Polygon(kUnit)), 110574.388557799, 1e-5);
  EXPECT_NEAR(Number(kStDistance, Polygon(kBeside) + "," + Polygon(kUnit)), 111302.649, 0.01);
  EXPECT_NEAR(Number(kStDistance,
                     Point("4,0") + "," + MultiPolygon("[" + std::string(kUnit) + "],[" + std::string(kBeside) + "]")),
              111319.490793274, 1e-5);
  EXPECT_EQ(Two(kStDistance, Polygon(kTen), Polygon(kUnit)), "0");
}

// Along a meridian, the nearest point of a parallel edge is not one of its ends.
TEST_F(SpatialTest, DistanceToALongEdgeIsThatToItsNearestPoint) {
  const double to_line = Number(kStDistance, Point("20,60") + "," + Line("[-30,40],[70,40]"));
  double nearest = HUGE_VAL;
  for (double longitude = -30; longitude <= 70; longitude += 1) {
    nearest = std::min(nearest, Number(kStDistance, Point("20,60") + "," + Point(std::to_string(longitude) + ",40")));
  }
  // The arc runs north of the parallel.
  EXPECT_LT(to_line, nearest);
  EXPECT_GT(to_line, 400'000);
}

TEST_F(SpatialTest, Area) {
  EXPECT_NEAR(Number(kStArea, Polygon("[[31.8,-5],[32,-5],[32,-4.7],[31.8,-4.7],[31.8,-5]]")), 735970283.0522614, 5);
  EXPECT_EQ(Eval(kStArea, Point("1,2")), "0");
  EXPECT_EQ(Eval(kStArea, Line("[1,2],[3,4]")), "0");
  const double unit = Number(kStArea, Polygon(kUnit));
  EXPECT_NEAR(unit, 12308778361.469, 1);
  constexpr double kEarth = 510065621724088.44;
  EXPECT_NEAR(Number(kStArea, Polygon(kUnitClockwise)), kEarth - unit, 10);
  const double ten = Number(kStArea, Polygon(kTen));
  for (std::string_view hole : {kUnit, kUnitClockwise}) {
    EXPECT_NEAR(Number(kStArea, Polygon(std::string(kTen).append(",").append(hole))), ten - unit, 1);
  }
  EXPECT_NEAR(Number(kStArea, MultiPolygon("[" + std::string(kUnit) + "],[" + std::string(kBeside) + "]")), 2 * unit,
              1);
}

TEST_F(SpatialTest, PointsWithinPolygons) {
  const std::string unit = Polygon(kUnit);
  EXPECT_EQ(Two(kStWithin, Point("0.5,0.5"), unit), "true");
  EXPECT_EQ(Two(kStWithin, Point("1.5,0.5"), unit), "false");
  EXPECT_EQ(Two(kStWithin, Point("0.5,1.5"), unit), "false");
  EXPECT_EQ(Two(kStWithin, Point("0,0"), unit), "true");
  EXPECT_EQ(Two(kStWithin, Point("0.5,0"), unit), "true");
  EXPECT_EQ(Two(kStWithin, Point("-179.5,-0.5"), unit), "false");
  EXPECT_EQ(Two(kStWithin, Point("0.5,-0.5"), unit), "false");
  EXPECT_EQ(Two(kStWithin, Point("1,0.5"), unit), "true");
  EXPECT_EQ(
      Two(kStWithin, Point("2.5,0.5"), MultiPolygon("[" + std::string(kUnit) + "],[" + std::string(kBeside) + "]")),
      "true");
}

TEST_F(SpatialTest, ARingThatRunsClockwiseIsTheRestOfTheEarth) {
  const std::string rest = Polygon(kUnitClockwise);
  EXPECT_EQ(Two(kStWithin, Point("0.5,0.5"), rest), "false");
  EXPECT_EQ(Two(kStWithin, Point("50,50"), rest), "true");
  EXPECT_EQ(Two(kStWithin, Point("0,90"), rest), "true");
  EXPECT_EQ(Two(kStWithin, Point("0,-90"), rest), "true");
  EXPECT_EQ(Two(kStIntersects, Polygon(kTen), rest), "true");
  EXPECT_EQ(Two(kStWithin, Polygon(kTen), rest), "false");
  EXPECT_EQ(Two(kStWithin, Polygon(kBeside), rest), "true");
  EXPECT_EQ(Two(kStWithin, rest, Polygon(kTen)), "false");
}

TEST_F(SpatialTest, PolesAndTheDateLine) {
  const std::string arctic = Polygon("[[0,80],[90,80],[180,80],[-90,80],[0,80]]");
  EXPECT_EQ(Two(kStWithin, Point("45,89"), arctic), "true");
  EXPECT_EQ(Two(kStWithin, Point("0,90"), arctic), "true");
  EXPECT_EQ(Two(kStWithin, Point("45,70"), arctic), "false");
  EXPECT_EQ(Two(kStWithin, Point("0,-90"), arctic), "false");
  const std::string antarctic = Polygon("[[0,-80],[-90,-80],[180,-80],[90,-80],[0,-80]]");
  EXPECT_EQ(Two(kStWithin, Point("45,-89"), antarctic), "true");
  EXPECT_EQ(Two(kStWithin, Point("45,0"), antarctic), "false");
  const std::string date_line = Polygon("[[179,-1],[-179,-1],[-179,1],[179,1],[179,-1]]");
  // A ring that ends at the antimeridian. Far south of it there is nothing, by both names of that meridian.
  const std::string sliver = Polygon("[[179.999,89.999],[0.001,35.2644],[180,35.2644],[179.999,89.999]]");
  EXPECT_EQ(Two(kStIntersects, sliver, Point("180,0")), "false");
  EXPECT_EQ(Two(kStIntersects, sliver, Point("-180,0")), "false");
  EXPECT_EQ(Two(kStWithin, Point("180,0"), date_line), "true");
  EXPECT_EQ(Two(kStWithin, Point("-180,0"), date_line), "true");
  EXPECT_EQ(Two(kStWithin, Point("179.5,0.5"), date_line), "true");
  EXPECT_EQ(Two(kStWithin, Point("0,0"), date_line), "false");
  EXPECT_EQ(Two(kStWithin, Point("178,0"), date_line), "false");
  const std::string octant = Polygon("[[0,0],[90,0],[0,90],[0,0]]");
  EXPECT_EQ(Two(kStWithin, Point("45,45"), octant), "true");
  EXPECT_EQ(Two(kStWithin, Point("-45,45"), octant), "false");
  EXPECT_EQ(Two(kStWithin, Point("45,-45"), octant), "false");
  // A pole has any longitude. An edge to it follows the meridian of its other end.
  const std::string to_the_pole = Polygon("[[0,60],[90,60],[45,90],[0,60]]");
  EXPECT_EQ(Two(kStWithin, Point("10,70"), to_the_pole), "true");
  EXPECT_EQ(Two(kStWithin, Point("0,30"), to_the_pole), "false");
  EXPECT_EQ(Two(kStWithin, Point("10,30"), to_the_pole), "false");
  EXPECT_EQ(Two(kStWithin, Point("90,30"), to_the_pole), "false");
}

TEST_F(SpatialTest, Holes) {
  const std::string_view inner = "[[-1,-1],[-1,1],[1,1],[1,-1],[-1,-1]]";
  const std::string_view inner_other_way = "[[-1,-1],[1,-1],[1,1],[-1,1],[-1,-1]]";
  for (std::string_view hole : {inner, inner_other_way}) {
    const std::string holed = Polygon(std::string(kTen).append(",").append(hole));
    EXPECT_EQ(Two(kStWithin, Point("0,0"), holed), "false");
    EXPECT_EQ(Two(kStWithin, Point("2,2"), holed), "true");
    EXPECT_EQ(Two(kStWithin, Point("1,0"), holed), "true");
    EXPECT_EQ(Two(kStWithin, Point("9,9"), holed), "false");
    EXPECT_EQ(Two(kStIntersects, Polygon("[[-0.5,-0.5],[0.5,-0.5],[0.5,0.5],[-0.5,0.5],[-0.5,-0.5]]"), holed), "false");
    EXPECT_EQ(Two(kStWithin, Polygon("[[-2,-2],[2,-2],[2,2],[-2,2],[-2,-2]]"), holed), "false");
    EXPECT_EQ(Two(kStIntersects, Polygon("[[-2,-2],[2,-2],[2,2],[-2,2],[-2,-2]]"), holed), "true");
    EXPECT_NEAR(Number(kStDistance, Point("0,0") + "," + holed), 110574.388557799, 20);
  }
}

TEST_F(SpatialTest, LinesAndPolygonsWithinPolygons) {
  EXPECT_EQ(Two(kStWithin, Line("[0,0],[2,2]"), Polygon(kTen)), "true");
  EXPECT_EQ(Two(kStWithin, Line("[0,0],[8,0]"), Polygon(kTen)), "false");
  EXPECT_EQ(Two(kStWithin, Polygon(kUnit), Polygon(kTen)), "true");
  EXPECT_EQ(Two(kStWithin, Polygon(kTen), Polygon(kUnit)), "false");
  EXPECT_EQ(Two(kStWithin, Polygon(kUnit), Polygon(kUnit)), "true");
  EXPECT_EQ(Two(kStWithin, Polygon(kBeside), Polygon(kUnit)), "false");
  // A U: the line between its two tips is outside.
  const std::string u = Polygon("[[0,0],[3,0],[3,3],[2,3],[2,1],[1,1],[1,3],[0,3],[0,0]]");
  EXPECT_EQ(Two(kStWithin, Line("[1,2],[2,2]"), u), "false");
  EXPECT_EQ(Two(kStWithin, Line("[0.5,2],[0.5,0.5]"), u), "true");
  EXPECT_EQ(Two(kStWithin, Point("0.5,0"), Line("[0,0],[1,0]")), "true");
  EXPECT_EQ(Two(kStWithin, Point("0.5,0.1"), Line("[0,0],[1,0]")), "false");
  EXPECT_EQ(Two(kStWithin, Line("[0.2,0],[0.7,0]"), Line("[0,0],[1,0]")), "true");
  EXPECT_EQ(Two(kStWithin, Polygon(kUnit), Point("0,0")), "false");
  EXPECT_EQ(Two(kStWithin, Line("[0,0],[1,0]"), Point("0,0")), "false");
  EXPECT_EQ(Two(kStWithin, Point("3,4"), Point("3,4")), "true");
}

TEST_F(SpatialTest, Intersections) {
  EXPECT_EQ(Two(kStIntersects, Polygon(kUnit), Polygon("[[0.5,0.5],[2,0.5],[2,2],[0.5,2],[0.5,0.5]]")), "true");
  EXPECT_EQ(Two(kStIntersects, Polygon(kUnit), Polygon(kBeside)), "false");
  EXPECT_EQ(Two(kStIntersects, Polygon(kUnit), Polygon(kTen)), "true");
  EXPECT_EQ(Two(kStIntersects, Polygon(kTen), Polygon(kUnit)), "true");
  EXPECT_EQ(Two(kStIntersects, Line("[-1,0.5],[2,0.5]"), Polygon(kUnit)), "true");
  EXPECT_EQ(Two(kStIntersects, Line("[-1,2],[2,2]"), Polygon(kUnit)), "false");
  EXPECT_EQ(Two(kStIntersects, Line("[0,0],[2,2]"), Line("[0,2],[2,0]")), "true");
  EXPECT_EQ(Two(kStIntersects, Line("[0,0],[2,2]"), Line("[180,2],[178,0]")), "false");
  EXPECT_EQ(Two(kStIntersects, Line("[0,0],[1,0]"), Line("[1,0],[1,1]")), "true");
  EXPECT_EQ(Two(kStIntersects, Polygon("[[1,0],[2,0],[2,1],[1,1],[1,0]]"), Polygon(kUnit)), "true");
  EXPECT_EQ(Two(kStIntersects, Point("1,1"), Polygon(kUnit)), "true");
  EXPECT_EQ(Two(kStIntersects, Point("1,1"), Point("1,1")), "true");
  EXPECT_EQ(Two(kStIntersects, Point("1,1"), Point("1,1.001")), "false");
}

TEST_F(SpatialTest, ReasonsWhyAGeometryIsNotValid) {
  EXPECT_EQ(Reason(Point("-84.38876194345323, 33.75682784306348")), "");
  EXPECT_EQ(Reason(Line("[0,0],[1,1]")), "");
  EXPECT_EQ(Reason(Polygon(kUnit)), "");
  EXPECT_EQ(Reason(Polygon(std::string(kTen).append(",").append(kUnitClockwise))), "");
  EXPECT_EQ(Reason(MultiPolygon("[" + std::string(kUnit) + "]")), "");
  EXPECT_EQ(Reason(Point("133.75682784306348, -184.38876194345323")),
            "Latitude values must be between -90 and 90 degrees.");
  EXPECT_EQ(Reason(Point("181, 0")), "Longitude values must be between -180 and 180 degrees.");
  EXPECT_EQ(Reason(Point("1")), "A position must have a longitude and a latitude.");
  EXPECT_EQ(Reason(Point("1,'2'")), "A position must have a longitude and a latitude.");
  EXPECT_EQ(Reason(Point("1,2,3,4")), "A position must have two or three numbers.");
  EXPECT_EQ(Reason(Line("[0,0]")), "A LineString must have at least two points.");
  EXPECT_EQ(Reason(Line("0,0")), "A position must be an array of numbers.");
  EXPECT_EQ(Reason(Polygon("")), "A polygon must have a ring.");
  EXPECT_EQ(Reason(Polygon("[[0,0],[1,0],[0,0]]")), "A ring must have at least four points.");
  EXPECT_EQ(Reason(Polygon("[[0,0],[1,0],[1,1],[0,1]]")), "The first and the last point of a ring must be the same.");
  EXPECT_EQ(Reason(Polygon("[[0,0],[1,1],[1,0],[0,1],[0,0]]")),
            "The ring of a polygon must not cross or touch itself.");
  EXPECT_EQ(Reason(Polygon("[[0,0],[2,0],[1,0],[1,1],[0,0]]")), "The ring of a polygon must not go back on itself.");
  EXPECT_EQ(Reason(Polygon("[[0,0],[0,0],[0,0],[0,0]]")), "A ring must have at least three different points.");
  EXPECT_EQ(Reason(Polygon(std::string(kTen).append(",[[0,0],[0,1],[9,1],[9,0],[0,0]]"))),
            "The rings of a polygon must not cross each other.");
  EXPECT_EQ(Reason(MultiPolygon("")), "A MultiPolygon must have a polygon.");
  EXPECT_EQ(Reason("{'type':'Circle','coordinates':[0,0]}"),
            "The type of a geometry must be Point, LineString, Polygon or MultiPolygon.");
  EXPECT_EQ(Reason("{'type':'Point'}"), "A geometry must have an array of coordinates.");
  EXPECT_EQ(Reason("{'coordinates':[0,0]}"), "A geometry must have a type.");
  EXPECT_EQ(Reason("{}"), "A geometry must have a type.");
}

TEST_F(SpatialTest, ARingMayHaveAPointTwiceInARow) {
  EXPECT_EQ(Reason(Polygon("[[0,0],[1,0],[1,0],[1,1],[0,1],[0,0]]")), "");
}

TEST_F(SpatialTest, PolygonsOfTheLargestSize) {
  const std::string largest = Polygon(Circle(0, 0, 5, 4095));
  EXPECT_EQ(Reason(largest), "");
  EXPECT_EQ(Reason(Polygon(Circle(0, 0, 5, 4096))), "A line or ring must not have more than 4096 points.");
  EXPECT_EQ(Two(kStWithin, Point("0,0"), largest), "true");
  EXPECT_EQ(Two(kStWithin, Polygon(Circle(0, 0, 4, 4095)), largest), "true");
  EXPECT_EQ(Two(kStIntersects, Polygon(Circle(20, 0, 4, 4095)), largest), "false");
  EXPECT_NEAR(Number(kStDistance, Polygon(Circle(20, 0, 4, 4095)) + "," + largest), 11 * 111319.490793274, 1);
}

TEST_F(SpatialTest, WhatIsNoGeometryIsUndefined) {
  for (const char* other : {"undefined", "null", "1", "'Point'", "[0,0]", "true"}) {
    EXPECT_EQ(Eval(kStIsValid, other), "undefined") << other;
    EXPECT_EQ(Eval(kStIsValidDetailed, other), "undefined") << other;
    EXPECT_EQ(Eval(kStArea, other), "undefined") << other;
    for (const Function* function : {&kStDistance, &kStWithin, &kStIntersects}) {
      EXPECT_EQ(Two(*function, other, Point("0,0")), "undefined") << other;
      EXPECT_EQ(Two(*function, Point("0,0"), other), "undefined") << other;
    }
  }
  EXPECT_EQ(Two(kStDistance, Point("0,91"), Point("0,0")), "undefined");
  EXPECT_EQ(Eval(kStArea, Polygon("[[0,0],[1,0],[1,1],[0,1]]")), "undefined");
}

TEST_F(SpatialTest, APolygonThatComesAgainIsPreparedOnce) {
  const std::vector<Value> constant = values_.List(Polygon(Circle(0, 0, 5, 100)));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Shown(Call(kStWithin, {values_.One(Point("1,1")), constant[0]})), "true");
    EXPECT_EQ(Shown(Call(kStWithin, {values_.One(Point("9,9")), constant[0]})), "false");
  }
  EXPECT_EQ(context_.geometries().hits(), 18u);
}

// A buffer that is reused for each row has other bytes at the same address.
TEST_F(SpatialTest, ThePlaceOfBytesProvesNothing) {
  const std::string constant(values_.One(Polygon(Circle(0, 0, 5, 100))).AsDocument());
  const std::string near(values_.One(Polygon(Circle(0, 0, 1, 90))).AsDocument());
  const std::string far(values_.One(Polygon(Circle(50, 0, 1, 90))).AsDocument());
  const std::string bad(
      values_.One("{'type':'Polygon','coordinates':[[[0,0],[1,1]]],'x':'" + std::string(300, 'x') + "'}").AsDocument());
  struct Content {
    const std::string* bytes;
    const char* expected;
  };
  const Content cases[] = {{&constant, "true"}, {&near, "true"}, {&far, "false"}, {&bad, "undefined"}};
  std::string row(std::max({constant.size(), near.size(), far.size(), bad.size()}), ' ');
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const Content& c = cases[random() % std::size(cases)];
    c.bytes->copy(row.data(), c.bytes->size());
    const Value item = Value::Object({row.data(), c.bytes->size()});
    EXPECT_EQ(Shown(Call(kStIntersects, {item, Value::Object(constant)})), c.expected) << i;
    EXPECT_EQ(Shown(Call(kStIntersects, {Value::Object(constant), item})), c.expected) << i;
  }
}

TEST_F(SpatialTest, CallsGiveBackWhatTheyNeeded) {
  const std::string circle = Polygon(Circle(0, 0, 5, 1000));
  const std::vector<Value> arguments = values_.List(circle + "," + Point("1,1"));
  Call(kStDistance, arguments);
  const size_t held = context_.arena().held_bytes();
  for (int i = 0; i < 100; ++i) Call(kStDistance, arguments);
  EXPECT_EQ(context_.arena().held_bytes(), held);
  EvalContext small({.memory_bytes_max = 10'000});
  kStDistance.evaluate(small, arguments);
  EXPECT_TRUE(small.failed());
}

}  // namespace
}  // namespace lapse::query::functions
