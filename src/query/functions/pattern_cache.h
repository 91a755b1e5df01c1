// Compiled regular expressions of one query.
//
// The engine is RE2, so a match takes time linear in the text, whatever the pattern. A pattern that uses what RE2 lacks
// (back-references, lookaround) is invalid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapse::query {

// Threads: one.
class Pattern {
 public:
  // Limit on bytes of text times instructions. Each pair takes up to 20 ns if the pattern has too many states for RE2
  // to keep.
  static constexpr size_t kWorkMax = size_t{1} << 28;

  virtual ~Pattern() = default;
  // Whether a text of this size may be searched: the worst patterns spend time on each pair of a byte and an
  // instruction.
  bool MaySearch(size_t text_bytes) const { return text_bytes <= kWorkMax / instructions(); }
  virtual size_t instructions() const = 0;  // at least one
  // The number of groups, not counting the whole match.
  virtual int groups() const = 0;
  // Finds the first match that begins at `start` or later. The text must have non-null data, even if it is empty.
  // `found` gets the whole match, then the groups. A group that did not participate has null data.
  virtual bool Find(std::string_view text, size_t start, std::span<std::string_view> found) const = 0;
};

// Limited in the number of patterns and in the memory of each. Evicts the least recently used pattern. Threads: one.
class PatternCache {
 public:
  static constexpr size_t kPatternsMax = 16;
  static constexpr size_t kPatternBytesMax = 10'000;
  static constexpr size_t kCompiledBytesMax = size_t{1} << 20;

  PatternCache();
  ~PatternCache();

  // Returns null for an invalid pattern or invalid modifiers. `modifiers` are letters of "imsx". Valid until the next
  // call.
  const Pattern* Get(std::string_view pattern, std::string_view modifiers);
  // Returns the cost of compiling patterns since the last call, in steps (EvalSettings::steps_max).
  uint64_t TakeSteps() { return std::exchange(steps_, 0); }
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string pattern;
    std::string modifiers;
    std::unique_ptr<Pattern> compiled;  // null: invalid
  };
  std::vector<Entry> entries_;  // most recently used first
  uint64_t steps_ = 0;
};

}  // namespace lapse::query
