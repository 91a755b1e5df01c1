// Compiled regular expressions of one query.
//
// The engine is RE2: a match takes time linear in the text, whatever the pattern. What RE2 does not have (references
// back, looking around) makes a pattern a bad one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::query {

// Threads: one.
class Pattern {
 public:
  virtual ~Pattern() = default;
  // Whether so much text may be searched: the worst of all patterns needs time for each pair of a byte and an
  // instruction.
  virtual bool MaySearch(size_t text_bytes) const = 0;
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
  // Bytes of text times instructions of the pattern.
  static constexpr size_t kWorkMax = size_t{1} << 30;

  PatternCache();
  ~PatternCache();

  // Null for a bad pattern or bad modifiers. `modifiers` are letters of "imsx". Good until the next call.
  const Pattern* Get(std::string_view pattern, std::string_view modifiers);
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string pattern;
    std::string modifiers;
    std::unique_ptr<Pattern> compiled;  // null: a bad one
  };
  std::vector<Entry> entries_;  // the one used last is first
};

}  // namespace lapse::query
