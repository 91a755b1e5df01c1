#include "query/functions/string_search.h"

#include "query/functions/text.h"
#include "query/values/logic.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

using Match = bool (*)(std::string_view text, std::string_view part, bool ignore_case, Arena* arena);

bool Contains(std::string_view text, std::string_view part, bool ignore_case, Arena* arena) {
  if (ignore_case) return ContainsIgnoringCase(text, part, arena);
  return FindPart(text, part, 0) != std::string_view::npos;
}

bool EndsWith(std::string_view text, std::string_view part, bool ignore_case, Arena*) {
  return ignore_case ? EndsIgnoringCase(text, part) : text.ends_with(part);
}

bool StartsWith(std::string_view text, std::string_view part, bool ignore_case, Arena*) {
  return ignore_case ? StartsIgnoringCase(text, part) : text.starts_with(part);
}

bool Equals(std::string_view text, std::string_view part, bool ignore_case, Arena*) {
  return ignore_case ? EqualsIgnoringCase(text, part) : text == part;
}

template <Match kMatch>
Value Search(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString() || !arguments[1].IsString()) return {};
  bool ignore_case = false;
  if (arguments.size() > 2) {
    if (!arguments[2].IsBool()) return {};
    ignore_case = arguments[2].AsBool();
  }
  return Value::Bool(kMatch(arguments[0].AsString(), arguments[1].AsString(), ignore_case, &context.arena()));
}

Value ContainsOne(EvalContext& context, Value text, Value part, bool ignore_case) {
  if (!text.IsString() || !part.IsString()) return {};
  return Value::Bool(Contains(text.AsString(), part.AsString(), ignore_case, &context.arena()));
}

template <bool kIgnoreCase>
Value ContainsAll(EvalContext& context, Arguments arguments) {
  Value all = Value::Bool(true);
  for (const Value& part : arguments.subspan(1)) all = And(all, ContainsOne(context, arguments[0], part, kIgnoreCase));
  return all;
}

template <bool kIgnoreCase>
Value ContainsAny(EvalContext& context, Arguments arguments) {
  Value any = Value::Bool(false);
  for (const Value& part : arguments.subspan(1)) any = Or(any, ContainsOne(context, arguments[0], part, kIgnoreCase));
  return any;
}

Value Position(std::string_view text, size_t at) {
  return Value::Int64(at == std::string_view::npos ? -1 : Utf16Length(text.substr(0, at)));
}

Value IndexOf(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsString() || !arguments[1].IsString()) return {};
  const std::string_view text = arguments[0].AsString();
  size_t from = 0;
  if (arguments.size() > 2) {
    const auto start = IntegerOf(arguments[2]);
    if (!start) return {};
    if (*start < 0 || *start > Utf16Length(text)) return Value::Int64(-1);
    from = ByteAtUnitUp(text, *start);
  }
  return Position(text, FindPart(text, arguments[1].AsString(), from));
}

Value LastIndexOf(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString() || !arguments[1].IsString()) return {};
  std::string_view text = arguments[0].AsString();
  if (arguments.size() > 2) {
    const auto start = IntegerOf(arguments[2]);
    if (!start) return {};
    if (*start < 0) return Value::Int64(-1);
    if (*start < Utf16Length(text)) text = text.substr(0, ByteAtUnit(text, *start + 1));
  }
  return Position(text, FindLastPart(text, arguments[1].AsString(), &context.arena()));
}

}  // namespace

const Function kContains = {2, 3, Search<Contains>};
const Function kEndsWith = {2, 3, Search<EndsWith>};
const Function kStartsWith = {2, 3, Search<StartsWith>};
const Function kStringEquals = {2, 3, Search<Equals>};
const Function kContainsAllCi = {2, Function::kAnyNumber, ContainsAll<true>};
const Function kContainsAllCs = {2, Function::kAnyNumber, ContainsAll<false>};
const Function kContainsAnyCi = {2, Function::kAnyNumber, ContainsAny<true>};
const Function kContainsAnyCs = {2, Function::kAnyNumber, ContainsAny<false>};
const Function kIndexOf = {2, 3, IndexOf};
const Function kLastIndexOf = {2, 3, LastIndexOf};

}  // namespace lapse::query::functions
