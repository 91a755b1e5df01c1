#include "query/functions/regular_expressions.h"

#include <vector>

#include "query/functions/pattern_cache.h"
#include "query/functions/text.h"
#include "query/values/builder.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

bool SpendSearch(EvalContext& context, const Pattern& pattern, size_t text_bytes) {
  return context.Spend(text_bytes * pattern.instructions());
}

// Returns null if an argument has a wrong type, if the pattern is invalid, or if the search would be too much work.
// Spends the steps of one search.
const Pattern* PatternOf(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString() || !arguments[1].IsString()) return nullptr;
  if (arguments.size() > 2 && !arguments[2].IsString()) return nullptr;
  const std::string_view modifiers = arguments.size() > 2 ? arguments[2].AsString() : std::string_view();
  const Pattern* pattern = context.patterns().Get(arguments[1].AsString(), modifiers);
  if (!context.Spend(context.patterns().TakeSteps())) return nullptr;
  const size_t text_bytes = arguments[0].AsString().size();
  if (pattern == nullptr || !SpendSearch(context, *pattern, text_bytes)) return nullptr;
  return pattern->MaySearch(text_bytes) ? pattern : nullptr;
}

std::string_view TextOf(Arguments arguments) {
  const std::string_view text = arguments[0].AsString();
  return text.data() == nullptr ? std::string_view("") : text;
}

// Returns the number of the requested group, or -1 if the pattern does not have it.
int GroupOf(const Pattern& pattern, Arguments arguments) {
  if (arguments.size() < 4) return 0;
  const auto group = IntegerOf(arguments[3]);
  return group && *group >= 0 && *group <= pattern.groups() ? static_cast<int>(*group) : -1;
}

Value RegexMatch(EvalContext& context, Arguments arguments) {
  const Pattern* pattern = PatternOf(context, arguments);
  if (pattern == nullptr) return {};
  return Value::Bool(pattern->Find(TextOf(arguments), 0, {}));
}

Value RegexExtract(EvalContext& context, Arguments arguments) {
  const Pattern* pattern = PatternOf(context, arguments);
  if (pattern == nullptr) return {};
  const int group = GroupOf(*pattern, arguments);
  if (group < 0) return {};
  std::vector<std::string_view> found(static_cast<size_t>(group) + 1);
  if (!pattern->Find(TextOf(arguments), 0, found) || found.back().data() == nullptr) return {};
  return Value::String(found.back());
}

Value RegexExtractAll(EvalContext& context, Arguments arguments) {
  const Pattern* pattern = PatternOf(context, arguments);
  if (pattern == nullptr) return {};
  const int group = GroupOf(*pattern, arguments);
  if (group < 0) return {};
  const std::string_view text = TextOf(arguments);
  std::vector<std::string_view> found(static_cast<size_t>(group) + 1);
  ArrayBuilder matches(&context.arena());
  size_t start = 0;
  size_t searched = 0;
  while (start <= text.size() && !context.failed() && pattern->Find(text, start, found)) {
    searched += text.size() - start;
    const bool is_too_much = searched > kExtractAllBytesMax || searched * pattern->instructions() > kExtractAllWorkMax;
    if (is_too_much || !SpendSearch(context, *pattern, text.size() - start)) return {};
    if (found.back().data() != nullptr) matches.Append(Value::String(found.back()));
    start = static_cast<size_t>(found[0].data() - text.data()) + found[0].size();
    // After an empty match the search resumes after the next character.
    if (found[0].empty()) start += start < text.size() ? FirstCharacterSize(text.substr(start)) : 1;
  }
  return matches.Finish();
}

}  // namespace

const Function kRegexMatch = {2, 3, RegexMatch};
const Function kRegexExtract = {2, 4, RegexExtract};
const Function kRegexExtractAll = {2, 4, RegexExtractAll};

}  // namespace lapse::query::functions
