#include "query/functions/string_parts.h"

#include <algorithm>
#include <vector>

#include "query/functions/text.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

Value Left(EvalContext&, Arguments arguments) {
  const auto count = IntegerOf(arguments[1]);
  if (!arguments[0].IsString() || !count) return {};
  return Value::String(Utf16Part(arguments[0].AsString(), 0, *count));
}

Value Right(EvalContext&, Arguments arguments) {
  const auto count = IntegerOf(arguments[1]);
  if (!arguments[0].IsString() || !count) return {};
  if (*count <= 0) return Value::String("");
  const std::string_view text = arguments[0].AsString();
  const int64_t length = Utf16Length(text);
  return Value::String(Utf16Part(text, length - std::min(length, *count), length));
}

Value Substring(EvalContext&, Arguments arguments) {
  const auto start = IntegerOf(arguments[1]);
  const auto count = IntegerOf(arguments[2]);
  if (!arguments[0].IsString() || !start || !count) return {};
  if (*start < 0 || *count <= 0) return Value::String("");
  const std::string_view text = arguments[0].AsString();
  // No text has more units than bytes, so the sum below cannot overflow.
  const auto bytes = static_cast<int64_t>(text.size());
  if (*start >= bytes) return Value::String("");
  return Value::String(Utf16Part(text, *start, *start + std::min(*count, bytes)));
}

Value Length(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsString()) return {};
  return Value::Int64(Utf16Length(arguments[0].AsString()));
}

// The characters to trim: white space, or those of a text.
class TrimSet {
 public:
  explicit TrimSet(Arguments arguments) : given_(arguments.size() > 1) {
    if (given_) characters_ = arguments[1].AsString();
    if (characters_.size() <= kSearchedBytesMax) return;
    is_in_.resize(kCodePoints);
    for (std::string_view rest = characters_; !rest.empty(); rest.remove_prefix(FirstCharacterSize(rest))) {
      is_in_[PlaceOf(rest)] = true;
    }
  }
  bool Has(std::string_view character) const {
    if (!given_) return IsWhiteSpace(DecodeFirst(character));
    if (!is_in_.empty()) return is_in_[PlaceOf(character)];
    return characters_.find(character) != std::string_view::npos;
  }

  // A longer text gets a lookup table instead of a search per character: both texts may have megabytes.
  static constexpr size_t kSearchedBytesMax = 256;
  static constexpr size_t kCodePoints = 0x110000;

 private:
  static size_t PlaceOf(std::string_view character) {
    return std::min<size_t>(DecodeFirst(character), kCodePoints - 1);
  }

  bool given_;
  std::string_view characters_;
  std::vector<bool> is_in_;  // by code point; only for a long text
};

std::string_view TrimLeft(std::string_view text, const TrimSet& set) {
  while (!text.empty()) {
    const size_t size = FirstCharacterSize(text);
    if (!set.Has(text.substr(0, size))) break;
    text.remove_prefix(size);
  }
  return text;
}

std::string_view TrimRight(std::string_view text, const TrimSet& set) {
  while (!text.empty()) {
    size_t size = 1;
    while (size < text.size() && IsContinuation(text[text.size() - size])) ++size;
    if (!set.Has(text.substr(text.size() - size))) break;
    text.remove_suffix(size);
  }
  return text;
}

uint64_t TrimSteps(std::string_view text, std::string_view set) {
  if (set.size() > TrimSet::kSearchedBytesMax) return TrimSet::kCodePoints / 64 + text.size() + set.size();
  return text.size() * (set.size() / 4 + 1);
}

template <bool kLeftEnd, bool kRightEnd>
Value TrimEnds(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString() || (arguments.size() > 1 && !arguments[1].IsString())) return {};
  // Each character may be compared with some of the others.
  if (arguments.size() > 1 && !context.Spend(TrimSteps(arguments[0].AsString(), arguments[1].AsString()))) return {};
  const TrimSet set(arguments);
  std::string_view text = arguments[0].AsString();
  if (kLeftEnd) text = TrimLeft(text, set);
  if (kRightEnd) text = TrimRight(text, set);
  return Value::String(text);
}

template <bool kLast, bool kAfter>
Value CutAtDelimiter(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString() || !arguments[1].IsString()) return {};
  const std::string_view text = arguments[0].AsString();
  const std::string_view delimiter = arguments[1].AsString();
  const size_t at = kLast ? FindLastPart(text, delimiter, &context.arena()) : FindPart(text, delimiter, 0);
  if (at == std::string_view::npos) return kAfter ? Value::String("") : Value::String(text);
  return Value::String(kAfter ? text.substr(at + delimiter.size()) : text.substr(0, at));
}

}  // namespace

const Function kLeft = {2, 2, Left};
const Function kLength = {1, 1, Length};
const Function kRight = {2, 2, Right};
const Function kSubstring = {3, 3, Substring};
const Function kLeftTrim = {1, 2, TrimEnds<true, false>};
const Function kRightTrim = {1, 2, TrimEnds<false, true>};
const Function kTrim = {1, 2, TrimEnds<true, true>};
const Function kLastSubstringAfter = {2, 2, CutAtDelimiter<true, true>};
const Function kLastSubstringBefore = {2, 2, CutAtDelimiter<true, false>};
const Function kSubstringAfter = {2, 2, CutAtDelimiter<false, true>};
const Function kSubstringBefore = {2, 2, CutAtDelimiter<false, false>};

}  // namespace lapse::query::functions
