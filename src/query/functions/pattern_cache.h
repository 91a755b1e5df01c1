// Compiled regular expressions of one query.
//
// The engine is RE2: a match takes time linear in the text, whatever the pattern. What RE2 does not have (references
// back, looking around) makes a pattern a bad one.
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
  // Bytes of text times instructions. Each pair takes up to 20 ns where the pattern has too many states for RE2 to
  // keep.
  static constexpr size_t kWorkMax = size_t{1} << 28;

  virtual ~Pattern() = default;
  // Whether so much text may be searched: the worst of all patterns needs time for each pair of a byte and an
  // instruction.
  bool MaySearch(size_t text_bytes) const { return text_bytes <= kWorkMax / instructions(); }
  virtual size_t instructions() const = 0;  // at least one
  // How many groups there are, the whole match not counted.
  virtual int groups() const = 0;
  // The first match that begins at `start` or later. The text has data, even when it is empty. `found` gets the whole
  // match, then the groups; a group that took no part has no data.
  virtual bool Find(std::string_view text, size_t start, std::span<std::string_view> found) const = 0;
};

// Bounded: so many patterns, and for each a limit of memory. The pattern that was used least recently goes first.
// Threads: one.
class PatternCache {
 public:
  static constexpr size_t kPatternsMax = 16;
  static constexpr size_t kPatternBytesMax = 10'000;
  static constexpr size_t kCompiledBytesMax = size_t{1} << 20;

  PatternCache();
  ~PatternCache();

  // Null for a bad pattern or bad modifiers. `modifiers` are letters of "imsx". Good until the next call.
  const Pattern* Get(std::string_view pattern, std::string_view modifiers);
  // What it took to compile the patterns since this was asked last, in steps (EvalSettings::steps_max).
  uint64_t TakeSteps() { return std::exchange(steps_, 0); }
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string pattern;
    std::string modifiers;
    std::unique_ptr<Pattern> compiled;  // null: a bad one
  };
  std::vector<Entry> entries_;  // the one used last is first
  uint64_t steps_ = 0;
};

}  // namespace lapse::query
