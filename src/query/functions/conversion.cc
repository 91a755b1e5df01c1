#include "query/functions/conversion.h"

#include <string>

#include "doc/json.h"
#include "query/values/json_text.h"

namespace lapse::query::functions {
namespace {

// White space as in JSON.
std::string_view WithoutBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

Value ToString(EvalContext& context, Arguments arguments) {
  const Value value = arguments[0];
  if (value.IsUndefined() || value.IsString()) return value;
  ByteBuilder text(&context.arena());
  if (value.IsNumber()) {
    char buffer[kNumberTextMax];
    text.Append(NumberText(value, &buffer));
  } else if (!AppendCompactJson(value, &context.arena(), &text)) {
    return {};
  }
  return Value::String(text.view());
}

using Parse = Status (*)(std::string_view json, const doc::JsonLimits& limits, std::string* bson);

// Returns the parser's bytes, copied into the arena, or nothing if the parser rejects the text.
template <Parse kParse>
std::string_view ParseInto(EvalContext& context, Value text) {
  if (!text.IsString()) return {};
  std::string bson;
  if (!kParse(text.AsString(), {}, &bson).ok()) return {};
  return context.arena().Copy(bson);
}

Value StringToArray(EvalContext& context, Arguments arguments) {
  const std::string_view bson = ParseInto<doc::JsonArrayToBson>(context, arguments[0]);
  return bson.empty() ? Value() : Value::Array(bson);
}

Value StringToObject(EvalContext& context, Arguments arguments) {
  const std::string_view bson = ParseInto<doc::JsonToBson>(context, arguments[0]);
  return bson.empty() ? Value() : Value::Object(bson);
}

Value StringToBoolean(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsString()) return {};
  const std::string_view text = WithoutBlanks(arguments[0].AsString());
  if (text == "true") return Value::Bool(true);
  return text == "false" ? Value::Bool(false) : Value();
}

Value StringToNull(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsString() || WithoutBlanks(arguments[0].AsString()) != "null") return {};
  return Value::Null();
}

// The JSON parser reads numbers only within an array.
Value StringToNumber(EvalContext&, Arguments arguments) {
  constexpr size_t kNumberCharactersMax = 2000;
  if (!arguments[0].IsString()) return {};
  const std::string_view text = WithoutBlanks(arguments[0].AsString());
  if (text.empty() || text.size() > kNumberCharactersMax) return {};
  std::string json = "[";
  json.append(text).push_back(']');
  std::string bson;
  if (!doc::JsonArrayToBson(json, {}, &bson).ok()) return {};
  Elements elements(Value::Array(bson));
  const auto number = elements.Next();
  return number && number->IsNumber() && !elements.Next() ? *number : Value();
}

}  // namespace

const Function kToString = {1, 1, ToString};
const Function kStringToArray = {1, 1, StringToArray};
const Function kStringToBoolean = {1, 1, StringToBoolean};
const Function kStringToNull = {1, 1, StringToNull};
const Function kStringToNumber = {1, 1, StringToNumber};
const Function kStringToObject = {1, 1, StringToObject};

}  // namespace lapse::query::functions
