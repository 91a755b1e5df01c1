#include "query/functions/like.h"

#include <algorithm>

#include "query/functions/text.h"

namespace lapse::query::functions {
namespace {

// Reads the pattern, one character at a time.
class PatternReader {
 public:
  PatternReader(std::string_view pattern, std::string_view escape, size_t* work)
      : rest_(pattern), escape_(escape), work_(work) {}

  bool AtEnd() const { return rest_.empty(); }
  bool AtAnyRun() const { return !AtEscape() && !AtEnd() && rest_[0] == '%'; }
  void SkipOne() { rest_.remove_prefix(1); }

  // Consumes the part of the pattern for one character, and returns whether `c` matches it.
  bool TakeMatches(std::string_view c) {
    if (AtEscape()) {
      rest_.remove_prefix(escape_.size());
      return TakeCharacter() == c;
    }
    if (rest_[0] == '_') {
      SkipOne();
      return true;
    }
    const size_t end = rest_[0] == '[' ? EndOfBrackets() : std::string_view::npos;
    if (end != std::string_view::npos) return TakeBrackets(end, DecodeFirst(c));
    return TakeCharacter() == c;
  }

 private:
  // An escape at the very end escapes nothing: it is a plain character.
  bool AtEscape() const { return !escape_.empty() && rest_.size() > escape_.size() && rest_.starts_with(escape_); }

  std::string_view TakeCharacter() {
    const std::string_view character = rest_.substr(0, FirstCharacterSize(rest_));
    rest_.remove_prefix(character.size());
    return character;
  }

  // Returns the position of the closing bracket. Without one, the opening bracket is a plain character. A closing
  // bracket that comes first is a member and does not close.
  size_t EndOfBrackets() const {
    const size_t first = rest_.starts_with("[^") ? 2 : 1;
    const size_t end = rest_.find(']', first + 1);
    *work_ += std::min(end, rest_.size());
    return end;
  }

  bool TakeBrackets(size_t end, char32_t c) {
    std::string_view members = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    const bool negated = members.starts_with('^');
    if (negated) members.remove_prefix(1);
    bool found = false;
    while (!members.empty()) {
      const char32_t low = Take(&members);
      char32_t high = low;
      if (members.size() > 1 && members[0] == '-') {
        members.remove_prefix(1);
        high = Take(&members);
      }
      found = found || (c >= low && c <= high);
    }
    return found != negated;
  }

  static char32_t Take(std::string_view* members) {
    const char32_t c = DecodeFirst(*members);
    members->remove_prefix(FirstCharacterSize(*members));
    return c;
  }

  std::string_view rest_;
  std::string_view escape_;
  size_t* work_;
};

// After a mismatch only the last % may take one character more: the earlier ones have found what they need. So the work
// is at most one pass over the text for each character of the pattern, and there is a limit on top of that.
Value Matches(std::string_view text, std::string_view pattern, std::string_view escape, uint64_t work_max,
              size_t* done) {
  size_t& work = *done;
  PatternReader at(pattern, escape, &work);
  PatternReader after_run = at;
  std::string_view retry;
  bool had_run = false;
  while (!text.empty()) {
    if (++work > work_max) return {};
    if (at.AtAnyRun()) {
      at.SkipOne();
      after_run = at;
      retry = text;
      had_run = true;
      continue;
    }
    const std::string_view c = text.substr(0, FirstCharacterSize(text));
    if (!at.AtEnd() && at.TakeMatches(c)) {
      text.remove_prefix(c.size());
      continue;
    }
    if (!had_run) return Value::Bool(false);
    retry.remove_prefix(FirstCharacterSize(retry));
    text = retry;
    at = after_run;
  }
  while (at.AtAnyRun()) at.SkipOne();
  return Value::Bool(at.AtEnd());
}

Value Like(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsString() || !arguments[1].IsString()) return {};
  std::string_view escape;
  if (arguments.size() > 2) {
    if (!arguments[2].IsString()) return {};
    escape = arguments[2].AsString();
    if (escape.empty() || FirstCharacterSize(escape) != escape.size()) return {};
  }
  size_t work = 0;
  const uint64_t work_max = std::min<uint64_t>(kLikeWorkMax, context.steps_left());
  const Value matches = Matches(arguments[0].AsString(), arguments[1].AsString(), escape, work_max, &work);
  return context.Spend(work) ? matches : Value();
}

}  // namespace

const Function kLike = {2, 3, Like};

}  // namespace lapse::query::functions
