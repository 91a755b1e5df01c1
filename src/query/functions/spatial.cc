#include "query/functions/spatial.h"

#include "query/functions/geometry.h"
#include "query/functions/geometry_cache.h"
#include "query/functions/spatial_relations.h"
#include "query/values/builder.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

// Frees the memory that a call needed for itself.
class Scratch {
 public:
  explicit Scratch(EvalContext& context) : arena_(context.arena()), mark_(arena_.mark()) {}
  ~Scratch() { arena_.Rewind(mark_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  Arena& arena_;
  const Arena::Mark mark_;
};

Value StArea(EvalContext& context, Arguments arguments) {
  const Scratch scratch(context);
  Geometry geometry;
  if (ReadGeometry(arguments[0], &context.arena(), &geometry) != nullptr) return {};
  return NumberValue(AreaOf(geometry));
}

// Both geometries, prepared. Null: not a geometry.
struct Sides {
  Sides(EvalContext& context, Arguments arguments)
      : a(context.geometries().Get(arguments[0], &context.arena(), &own_a)),
        b(a == nullptr ? nullptr : context.geometries().Get(arguments[1], &context.arena(), &own_b)) {}
  bool ok() const { return a != nullptr && b != nullptr; }

  PreparedGeometry own_a;
  PreparedGeometry own_b;
  const PreparedGeometry* a;
  const PreparedGeometry* b;
};

// Each edge of one side may be compared with each of the other. The smallest point has this many bytes.
uint64_t PointsOf(Value geometry) {
  constexpr uint64_t kPointBytes = 16;
  return 1 + (geometry.IsObject() ? geometry.AsDocument().size() / kPointBytes : 0);
}

using Relation = bool (*)(const PreparedGeometry& a, const PreparedGeometry& b);

template <Relation kRelation>
Value Relate(EvalContext& context, Arguments arguments) {
  if (!context.Spend(PointsOf(arguments[0]) * PointsOf(arguments[1]))) return {};
  const Scratch scratch(context);
  const Sides sides(context, arguments);
  return sides.ok() ? Value::Bool(kRelation(*sides.a, *sides.b)) : Value();
}

Value StDistance(EvalContext& context, Arguments arguments) {
  if (!context.Spend(PointsOf(arguments[0]) * PointsOf(arguments[1]))) return {};
  const Scratch scratch(context);
  const Sides sides(context, arguments);
  return sides.ok() ? NumberValue(DistanceBetween(*sides.a, *sides.b)) : Value();
}

const char* ProblemOf(EvalContext& context, Value value) {
  if (!context.Spend(PointsOf(value) * PointsOf(value))) return "";
  const Scratch scratch(context);
  Geometry geometry;
  if (const char* problem = ReadGeometry(value, &context.arena(), &geometry)) return problem;
  return CheckRings(geometry);
}

Value StIsValid(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsObject()) return {};
  return Value::Bool(ProblemOf(context, arguments[0]) == nullptr);
}

Value StIsValidDetailed(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsObject()) return {};
  const char* problem = ProblemOf(context, arguments[0]);
  ObjectBuilder result(&context.arena());
  result.Add("valid", Value::Bool(problem == nullptr));
  if (problem != nullptr) result.Add("reason", Value::String(problem));
  return result.Finish();
}

}  // namespace

const Function kStArea = {1, 1, StArea};
const Function kStDistance = {2, 2, StDistance};
const Function kStIntersects = {2, 2, Relate<Intersects>};
const Function kStWithin = {2, 2, Relate<IsWithin>};
const Function kStIsValid = {1, 1, StIsValid};
const Function kStIsValidDetailed = {1, 1, StIsValidDetailed};

}  // namespace lapse::query::functions
