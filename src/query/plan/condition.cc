#include "query/plan/condition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "query/functions/arrays.h"
#include "query/functions/comparison.h"
#include "query/functions/like.h"
#include "query/functions/spatial.h"
#include "query/functions/string_search.h"
#include "query/functions/type_checks.h"
#include "query/plan/combine_conditions.h"
#include "query/values/compare.h"

namespace lapse::query::plan {
namespace {

namespace rows = lapse::query::functions;

bool IsNan(Value value) {
  return value.kind() == Kind::kDouble && std::isnan(value.AsDouble());
}

bool IsDocument(Value value) {
  return value.IsArray() || value.IsObject();
}

// Returns the values that pass a type check, or nullopt if `check` is none.
std::optional<ValueRange> TypesOf(const Function* check) {
  if (check == &rows::kIsDefined) return ValueRange::Defined();
  if (check == &rows::kIsNull) return ValueRange::Type(ValueType::kNull);
  if (check == &rows::kIsBool) return ValueRange::Type(ValueType::kBool);
  if (check == &rows::kIsNumber) return ValueRange::Type(ValueType::kNumber);
  if (check == &rows::kIsString) return ValueRange::Type(ValueType::kString);
  if (check == &rows::kIsArray) return ValueRange::Type(ValueType::kArray);
  if (check == &rows::kIsObject) return ValueRange::Type(ValueType::kObject);
  if (check == &rows::kIsPrimitive) return ValueRange::Types(ValueType::kNull, ValueType::kString);
  return std::nullopt;
}

// Whether the value is the same for all rows. Recursion is as deep as the expression, which the front end bounds.
bool IsConstant(const Expression& e) {
  const bool is_made =
      e.kind == ExpressionKind::kConstant || e.kind == ExpressionKind::kObject || e.kind == ExpressionKind::kArray;
  return is_made &&
         std::all_of(e.children.begin(), e.children.end(), [](const Expression* child) { return IsConstant(*child); });
}

// The common prefix of all values that the pattern matches, and what else the pattern demands.
struct LikeBeginning {
  std::string_view text;
  enum class Rest : uint8_t { kNothing, kAnything, kSomething } rest = Rest::kNothing;
};

LikeBeginning BeginningOf(std::string_view pattern, std::string_view escape) {
  size_t at = pattern.find_first_of("%_[");
  if (!escape.empty()) at = std::min(at, pattern.find(escape));
  if (at == std::string_view::npos) return {pattern, LikeBeginning::Rest::kNothing};
  const bool anything = pattern.substr(at) == "%" && escape != "%";
  return {pattern.substr(0, at), anything ? LikeBeginning::Rest::kAnything : LikeBeginning::Rest::kSomething};
}

// Derives conditions from expressions. Recursion is as deep as the expression, which the front end bounds.
class Deriver {
 public:
  // Records the path in the item that a slot's value is at.
  void Name(Slot slot, Path path) { paths_[slot] = std::move(path); }

  std::optional<Path> PathOf(const Expression& e) const {
    std::vector<PathStep> steps;
    const Expression* at = &e;
    while (true) {
      if (at->kind == ExpressionKind::kProperty) {
        steps.push_back({at->name, false});
      } else if (at->kind == ExpressionKind::kElement) {
        steps.push_back({{}, true});
      } else {
        break;
      }
      at = at->children[0];
    }
    if (at->kind != ExpressionKind::kVariable) return std::nullopt;
    const auto root = paths_.find(at->slot);
    if (root == paths_.end()) return std::nullopt;
    Path path = root->second;
    path.insert(path.end(), steps.rbegin(), steps.rend());
    return path;
  }

  // Returns a condition on the items for which the expression is true.
  Condition Of(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::kConstant: return e.value.IsTrue() ? Everything(true) : Nothing();
      case ExpressionKind::kVariable:
      case ExpressionKind::kProperty:
      case ExpressionKind::kElement: return At(e, {ValueRange::Point(Value::Bool(true))});
      case ExpressionKind::kCall: return OfCall(e);
      case ExpressionKind::kAnd: return All(OfEach(e));
      case ExpressionKind::kOr: return Any(OfEach(e));
      case ExpressionKind::kSubquery:
        return e.mode == SubqueryMode::kExists ? Inexact(OfChain(e.query->last)) : Unknown();
      default: return Unknown();
    }
  }

  // Returns a condition on the items for which a chain has a row. A chain within a filter implies nothing.
  Condition OfChain(const Operator* last, bool in_filter = true) {
    std::vector<const Operator*> chain;
    for (const Operator* op = last; op != nullptr; op = op->input) chain.push_back(op);
    std::vector<Condition> conditions;
    for (auto op = chain.rbegin(); op != chain.rend(); ++op) {
      switch ((*op)->kind) {
        case OperatorKind::kOnce: break;
        case OperatorKind::kScan: Name((*op)->slot, {}); break;
        case OperatorKind::kProject:
          conditions.push_back(OfProjection(**op));
          conditions.back().implied = !in_filter;
          break;
        case OperatorKind::kUnnest: conditions.push_back(OfUnnesting(**op)); break;
        case OperatorKind::kFilter: conditions.push_back(Of(*(*op)->expression)); break;
        // The content of a distinct row, or of a sub-query's row, is ignored. Still, there must be a row.
        case OperatorKind::kApply:
        case OperatorKind::kDistinct: conditions.push_back(Unknown()); break;
        // From here on, rows do not belong to one item, or may exist without an item.
        case OperatorKind::kAggregate: return Unknown();
        case OperatorKind::kSort:
        case OperatorKind::kSlice: return Inexact(All(std::move(conditions)));
      }
    }
    return All(std::move(conditions));
  }

 private:
  static Condition Inexact(Condition condition) {
    if (!condition.IsNothing()) condition.exact = false;
    return condition;
  }

  std::vector<Condition> OfEach(const Expression& e) {
    std::vector<Condition> conditions;
    conditions.reserve(e.children.size());
    for (const Expression* child : e.children) conditions.push_back(Of(*child));
    return conditions;
  }

  // Returns a condition that the expression's value is in the ranges. For an element with a number, all that is known
  // is that some element is.
  Condition At(const Expression& e, std::vector<ValueRange> ranges, bool exact = true) const {
    std::optional<Path> path = PathOf(e);
    if (!path.has_value() || path->empty()) return Unknown();
    exact &= !HasElements(*path);
    return AtPath(std::move(*path), std::move(ranges), exact);
  }

  Condition OfProjection(const Operator& op) {
    const ExpressionKind kind = op.expression->kind;
    if (kind == ExpressionKind::kObject || kind == ExpressionKind::kArray) return Everything(true);
    if (kind == ExpressionKind::kConstant) return op.expression->value.IsUndefined() ? Nothing() : Everything(true);
    std::optional<Path> path = PathOf(*op.expression);
    if (!path.has_value()) return Unknown();
    Name(op.slot, *path);
    return path->empty() ? Everything(true) : AtPath(*path, {ValueRange::Defined()}, !HasElements(*path));
  }

  Condition OfUnnesting(const Operator& op) {
    std::optional<Path> path = PathOf(*op.expression);
    if (!path.has_value() || path->empty()) return Unknown();
    Condition condition = AtPath(*path, {ValueRange::Type(ValueType::kArray)}, false);
    path->push_back({{}, true});
    Name(op.slot, std::move(*path));
    return condition;
  }

  static const Value* ConstantOf(const Expression& e) {
    return e.kind == ExpressionKind::kConstant ? &e.value : nullptr;
  }

  Condition OfCall(const Expression& e) {
    const Function* const function = e.function;
    const auto arguments = e.children;
    if (function == &rows::kEqual) return OfEqual(*arguments[0], *arguments[1]);
    if (const std::optional<ValueRange> types = TypesOf(function)) return At(*arguments[0], {*types});
    if (function == &rows::kIsInteger || function == &rows::kIsFiniteNumber) {
      return At(*arguments[0], {ValueRange::Type(ValueType::kNumber)}, false);
    }
    if (const std::optional<Comparing> comparing = ComparingOf(function)) {
      return OfComparison(*comparing, *arguments[0], *arguments[1]);
    }
    if (function == &rows::kBetween) {
      return All({OfComparison(Comparing::kGreaterOrEqual, *arguments[0], *arguments[1]),
                  OfComparison(Comparing::kLessOrEqual, *arguments[0], *arguments[2])});
    }
    if (function == &rows::kIn) return OfMembership(*arguments[0], arguments.subspan(1));
    if (function == &rows::kStartsWith || function == &rows::kStringEquals) return OfBeginning(e);
    if (function == &rows::kLike) return OfLike(e);
    if (function == &rows::kArrayContains) return OfArrayContains(e);
    if (function == &rows::kNot) return OfNegation(*arguments[0]);
    if (IsPlaces(e)) return OfPlaces(e, 0);
    return Unknown();
  }

  enum class Comparing : uint8_t { kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

  static std::optional<Comparing> ComparingOf(const Function* function) {
    if (function == &rows::kLess) return Comparing::kLess;
    if (function == &rows::kLessOrEqual) return Comparing::kLessOrEqual;
    if (function == &rows::kGreater) return Comparing::kGreater;
    if (function == &rows::kGreaterOrEqual) return Comparing::kGreaterOrEqual;
    return std::nullopt;
  }
  static Comparing Turned(Comparing comparing) {
    switch (comparing) {
      case Comparing::kLess: return Comparing::kGreater;
      case Comparing::kLessOrEqual: return Comparing::kGreaterOrEqual;
      case Comparing::kGreater: return Comparing::kLess;
      case Comparing::kGreaterOrEqual: return Comparing::kLessOrEqual;
    }
    return comparing;
  }

  Condition OfEqual(const Expression& a, const Expression& b) const {
    if (const Value* constant = ConstantOf(b)) return OfEqualTo(a, *constant);
    if (const Value* constant = ConstantOf(a)) return OfEqualTo(b, *constant);
    return Unknown();
  }

  Condition OfEqualTo(const Expression& e, Value value) const {
    if (value.IsUndefined() || IsNan(value)) return Nothing();
    if (IsPlaces(e) && value.IsTrue()) return OfPlaces(e, 0);
    if (IsDocument(value)) return At(e, {ValueRange::Type(TypeOf(value))}, false);
    return At(e, {ValueRange::Point(value)});
  }

  Condition OfComparison(Comparing comparing, const Expression& a, const Expression& b) const {
    if (const Value* constant = ConstantOf(b)) return OfComparisonTo(comparing, a, *constant);
    if (const Value* constant = ConstantOf(a)) return OfComparisonTo(Turned(comparing), b, *constant);
    return Unknown();
  }

  static bool IsPlaces(const Expression& e) {
    return e.kind == ExpressionKind::kCall && (e.function == &rows::kStWithin || e.function == &rows::kStIntersects);
  }
  static bool IsDistance(const Expression& e) {
    return e.kind == ExpressionKind::kCall && e.function == &rows::kStDistance;
  }

  // Returns a condition for a call with two geometries, one of which is a constant: the other is no farther from it.
  Condition OfPlaces(const Expression& e, double distance_m) const {
    for (const size_t constant : {size_t{1}, size_t{0}}) {
      if (!IsConstant(*e.children[constant])) continue;
      std::optional<Path> path = PathOf(*e.children[1 - constant]);
      if (!path.has_value() || path->empty()) continue;
      Condition condition;
      condition.kind = Condition::Kind::kNear;
      condition.path = std::move(*path);
      condition.geometry = e.children[constant];
      condition.distance_m = std::max(0.0, distance_m);
      return condition;
    }
    return Unknown();
  }

  // Only values of the constant's own type can be compared with it. NaN is never less or greater.
  Condition OfComparisonTo(Comparing comparing, const Expression& e, Value value) const {
    if (value.IsUndefined() || IsDocument(value) || IsNan(value)) return Nothing();
    const bool from_above = comparing == Comparing::kLess || comparing == Comparing::kLessOrEqual;
    if (IsDistance(e) && from_above && value.IsNumber()) return OfPlaces(e, value.AsDouble());
    const ValueType type = TypeOf(value);
    const Cut first = type == ValueType::kNumber ? Cut::Before(Value::Double(-std::numeric_limits<double>::infinity()))
                                                 : Cut::BeforeType(type);
    const Cut last = Cut::AfterType(type);
    switch (comparing) {
      case Comparing::kLess: return At(e, {{first, Cut::Before(value)}});
      case Comparing::kLessOrEqual: return At(e, {{first, Cut::After(value)}});
      case Comparing::kGreater: return At(e, {{Cut::After(value), last}});
      case Comparing::kGreaterOrEqual: return At(e, {{Cut::Before(value), last}});
    }
    return Unknown();
  }

  Condition OfMembership(const Expression& e, std::span<const Expression* const> members) const {
    std::vector<ValueRange> ranges;
    bool exact = true;
    for (const Expression* member : members) {
      const Value* const value = ConstantOf(*member);
      if (value == nullptr) return Unknown();
      if (value->IsUndefined() || IsNan(*value)) continue;
      exact &= !IsDocument(*value);
      ranges.push_back(IsDocument(*value) ? ValueRange::Type(TypeOf(*value)) : ValueRange::Point(*value));
    }
    return At(e, std::move(ranges), exact);
  }

  // Handles STARTSWITH and StringEquals if they are case-sensitive.
  Condition OfBeginning(const Expression& e) const {
    const Value* const text = ConstantOf(*e.children[1]);
    if (text == nullptr) return Unknown();
    if (!text->IsString()) return Nothing();
    if (e.children.size() > 2) {
      const Value* const ignore_case = ConstantOf(*e.children[2]);
      if (ignore_case == nullptr) return Unknown();
      if (!ignore_case->IsBool()) return Nothing();
      if (ignore_case->AsBool()) return At(*e.children[0], {ValueRange::Type(ValueType::kString)}, false);
    }
    const bool whole = e.function == &rows::kStringEquals;
    return At(*e.children[0], {whole ? ValueRange::Point(*text) : ValueRange::Beginning(*text)});
  }

  Condition OfLike(const Expression& e) const {
    const Value* const pattern = ConstantOf(*e.children[1]);
    if (pattern == nullptr) return Unknown();
    if (!pattern->IsString()) return Nothing();
    std::string_view escape;
    if (e.children.size() > 2) {
      const Value* const given = ConstantOf(*e.children[2]);
      if (given == nullptr) return Unknown();
      if (!given->IsString()) return Nothing();
      escape = given->AsString();
    }
    const LikeBeginning beginning = BeginningOf(pattern->AsString(), escape);
    const Value text = Value::String(beginning.text);
    // An escape that is not one character makes the whole expression undefined, so nothing is exact with an escape.
    const bool exact = beginning.rest != LikeBeginning::Rest::kSomething && escape.empty();
    const bool whole = beginning.rest == LikeBeginning::Rest::kNothing;
    return At(*e.children[0], {whole ? ValueRange::Point(text) : ValueRange::Beginning(text)}, exact);
  }

  Condition OfArrayContains(const Expression& e) const {
    const Value* const value = ConstantOf(*e.children[1]);
    std::optional<Path> path = PathOf(*e.children[0]);
    if (value == nullptr || !path.has_value() || path->empty()) return Unknown();
    if (value->IsUndefined() || IsNan(*value)) return Unknown();
    bool exact = !IsDocument(*value) && !HasElements(*path) && e.children.size() == 2;
    path->push_back({{}, true});
    return AtPath(std::move(*path), {IsDocument(*value) ? ValueRange::Type(TypeOf(*value)) : ValueRange::Point(*value)},
                  exact);
  }

  Condition OfNegation(const Expression& e) const {
    if (e.kind != ExpressionKind::kCall || e.function != &rows::kIsDefined) return Unknown();
    return At(*e.children[0], {ValueRange::Type(ValueType::kUndefined)});
  }

  std::map<Slot, Path> paths_;
};

bool IsOfOneItem(const Operator& op) {
  switch (op.kind) {
    case OperatorKind::kAggregate:
    case OperatorKind::kSort:
    case OperatorKind::kDistinct:
    case OperatorKind::kSlice: return false;
    default: return true;
  }
}

}  // namespace

ScanCondition ConditionOfScan(const Operator* last) {
  std::vector<const Operator*> chain;
  for (const Operator* op = last; op != nullptr; op = op->input) chain.push_back(op);
  if (chain.empty() || chain.back()->kind != OperatorKind::kScan) return {};
  ScanCondition scan;
  scan.one_row = true;
  for (auto op = chain.rbegin(); op != chain.rend() && IsOfOneItem(**op); ++op) {
    scan.last = *op;
    scan.one_row &= (*op)->kind != OperatorKind::kUnnest && (*op)->kind != OperatorKind::kApply;
  }
  scan.condition = Deriver().OfChain(scan.last, false);
  return scan;
}

std::optional<Path> PathOf(const Expression& expression, const Operator* last) {
  Deriver deriver;
  deriver.OfChain(last);
  return deriver.PathOf(expression);
}

}  // namespace lapse::query::plan
