// The names by which queries call functions, in any case.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/functions/function.h"
#include "query/plan/operator.h"
#include "query/sql/syntax.h"

namespace lapse::query::sql {

enum class NameKind : uint8_t {
  kFunction,     // function
  kAggregate,    // aggregate
  kConditional,  // IIF
  kChoose,       // CHOOSE
  kUnsupported,  // known to the language, but not implemented
};

struct FunctionName {
  std::string_view name;  // its main spelling
  NameKind kind = NameKind::kFunction;
  int arguments_min = 0;
  int arguments_max = 0;  // or Function::kAnyNumber
  const Function* function = nullptr;
  const Aggregate* aggregate = nullptr;
};

// Returns null if there is no such function.
const FunctionName* FindFunction(std::string_view name);

// The name and the function of an operator.
struct OperatorFunction {
  std::string_view name;
  const Function* function = nullptr;
};
OperatorFunction FunctionOf(Operator op);
OperatorFunction BetweenFunction();
OperatorFunction InFunction();
OperatorFunction LikeFunction();

}  // namespace lapse::query::sql
