#include "query/functions/string_changes.h"

#include "query/functions/text.h"
#include "query/values/builder.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

Value Concat(EvalContext& context, Arguments arguments) {
  ByteBuilder text(&context.arena());
  for (const Value& part : arguments) {
    if (!part.IsString()) return {};
    text.Append(part.AsString());
  }
  return Value::String(text.view());
}

using AppendCase = void (*)(std::string_view text, ByteBuilder* out);

template <AppendCase kAppend>
Value ChangeCase(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString()) return {};
  ByteBuilder text(&context.arena());
  kAppend(arguments[0].AsString(), &text);
  return Value::String(text.view());
}

Value Replace(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString() || !arguments[1].IsString() || !arguments[2].IsString()) return {};
  const std::string_view text = arguments[0].AsString();
  const std::string_view find = arguments[1].AsString();
  if (find.empty()) return {};
  size_t at = FindPart(text, find, 0);
  if (at == std::string_view::npos) return arguments[0];
  ByteBuilder replaced(&context.arena());
  size_t copied = 0;
  for (; at != std::string_view::npos; at = FindPart(text, find, copied)) {
    replaced.Append(text.substr(copied, at - copied));
    replaced.Append(arguments[2].AsString());
    copied = at + find.size();
  }
  replaced.Append(text.substr(copied));
  return Value::String(replaced.view());
}

Value Replicate(EvalContext& context, Arguments arguments) {
  const auto count = IntegerOf(arguments[1]);
  if (!arguments[0].IsString() || !count || *count < 0) return {};
  const std::string_view text = arguments[0].AsString();
  if (text.empty()) return arguments[0];
  // Divide rather than multiply: the product may overflow.
  if (*count > kReplicateUnitsMax / Utf16Length(text)) return {};
  ByteBuilder repeated(&context.arena());
  for (int64_t i = 0; i < *count; ++i) repeated.Append(text);
  return Value::String(repeated.view());
}

Value Reverse(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString()) return {};
  if (arguments[0].AsString().empty()) return arguments[0];
  std::string_view text = arguments[0].AsString();
  ByteBuilder reversed(&context.arena());
  char* end = reversed.Grow(text.size());
  if (end == nullptr) return {};
  end += text.size();
  while (!text.empty()) {
    const size_t size = FirstCharacterSize(text);
    end -= size;
    text.copy(end, size);
    text.remove_prefix(size);
  }
  return Value::String(reversed.view());
}

Value StringSplit(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString() || !arguments[1].IsString()) return {};
  const std::string_view text = arguments[0].AsString();
  const std::string_view delimiter = arguments[1].AsString();
  ArrayBuilder parts(&context.arena());
  size_t begin = 0;
  size_t at = delimiter.empty() ? std::string_view::npos : FindPart(text, delimiter, 0);
  while (at != std::string_view::npos && !context.failed()) {
    parts.Append(Value::String(text.substr(begin, at - begin)));
    begin = at + delimiter.size();
    at = FindPart(text, delimiter, begin);
  }
  parts.Append(Value::String(text.substr(begin)));
  return parts.Finish();
}

Value StringJoin(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsArray() || !arguments[1].IsString()) return {};
  ByteBuilder joined(&context.arena());
  Elements elements(arguments[0]);
  bool first = true;
  while (auto element = elements.Next()) {
    if (!element->IsString()) return {};
    if (!first) joined.Append(arguments[1].AsString());
    first = false;
    joined.Append(element->AsString());
  }
  return Value::String(joined.view());
}

}  // namespace

const Function kConcat = {2, Function::kAnyNumber, Concat};
const Function kLower = {1, 1, ChangeCase<AppendLower>};
const Function kReplace = {3, 3, Replace};
const Function kReplicate = {2, 2, Replicate};
const Function kReverse = {1, 1, Reverse};
const Function kStringJoin = {2, 2, StringJoin};
const Function kStringSplit = {2, 2, StringSplit};
const Function kUpper = {1, 1, ChangeCase<AppendUpper>};

}  // namespace lapse::query::functions
