// An expression that can be evaluated: names are resolved, functions are found, constants are values. Every front end
// makes the same expressions. They differ only in the functions that they call.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "query/values/value.h"

namespace lapse::query {
struct Function;
}

namespace lapse::query::plan {

// Where a row keeps a value. One place of the plan writes a slot, and every part of the plan that is evaluated later
// may read it: sub-queries share the row of the enclosing query.
using Slot = uint32_t;

enum class ExpressionKind : uint8_t {
  kConstant,     // value
  kVariable,     // the value in slot
  kProperty,     // child 0 . name; undefined unless child 0 is an object that has it
  kElement,      // child 0 [ index ]; undefined unless child 0 is an array that has it
  kCall,         // function(children)
  kObject,       // names and children; an undefined child is left out
  kArray,        // children; an undefined child is left out
  kAnd,          // children, in three-valued logic, evaluated from the left until one decides
  kOr,           // like kAnd
  kCoalesce,     // the first child that is defined
  kConditional,  // child 1 if child 0 is true, else child 2
  kChoose,       // child n if child 0 is the integer n and there is one, else undefined
  kLet,          // child 1, after child 0 was put into slot
  kSubquery,     // query, as mode says
};

// How a sub-query's results become one value.
enum class SubqueryMode : uint8_t {
  kScalar,  // the only result; undefined if there is none; an error if there are several
  kExists,  // whether there is a result
  kArray,   // an array of all results
  kFirst,   // the first, or undefined
  kLast,    // the last, or undefined
};

struct Query;

struct Expression {
  ExpressionKind kind = ExpressionKind::kConstant;
  SubqueryMode mode = SubqueryMode::kScalar;
  Slot slot = 0;
  Value value;
  std::string_view name;  // of a property; of a function as the front end calls it, for people
  int64_t index = 0;
  const Function* function = nullptr;
  std::span<const Expression* const> children;
  std::span<const std::string_view> names;  // all different
  const Query* query = nullptr;
  // Position in the text of the request, for messages.
  uint32_t text_begin = 0;
  uint32_t text_end = 0;
};

// Whether both always have the same value: the same operations on the same slots and constants.
bool SameExpression(const Expression& a, const Expression& b);
// Equal expressions have equal hashes.
uint64_t HashExpression(const Expression& e, uint64_t seed);

}  // namespace lapse::query::plan
