#include "query/functions/pattern_cache.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>

namespace lapse::query {
namespace {

class Re2Pattern : public Pattern {
 public:
  Re2Pattern(const std::string& pattern, const RE2::Options& options) : re_(pattern, options) {}

  bool ok() const { return re_.ok(); }
  bool too_large() const { return re_.error_code() == RE2::ErrorPatternTooLarge; }
  size_t instructions() const override { return static_cast<size_t>(std::max(re_.ProgramSize(), 1)); }
  int groups() const override { return re_.NumberOfCapturingGroups(); }

  bool Find(std::string_view text, size_t start, std::span<std::string_view> found) const override {
    std::array<re2::StringPiece, kFewGroups> few;
    std::vector<re2::StringPiece> many;
    re2::StringPiece* pieces = few.data();
    if (found.size() > few.size()) {
      many.resize(found.size());
      pieces = many.data();
    }
    const re2::StringPiece subject(text.data(), text.size());
    if (!re_.Match(subject, start, text.size(), RE2::UNANCHORED, pieces, static_cast<int>(found.size()))) return false;
    for (size_t i = 0; i < found.size(); ++i) found[i] = {pieces[i].data(), pieces[i].size()};
    return true;
  }

 private:
  static constexpr size_t kFewGroups = 8;
  RE2 re_;
};

struct Modifiers {
  bool ignore_case = false;
  bool multi_line = false;
  bool dot_all = false;
  bool free_spacing = false;
};

std::optional<Modifiers> ReadModifiers(std::string_view letters) {
  Modifiers modifiers;
  for (char letter : letters) {
    switch (letter) {
      case 'i': modifiers.ignore_case = true; break;
      case 'm': modifiers.multi_line = true; break;
      case 's': modifiers.dot_all = true; break;
      case 'x': modifiers.free_spacing = true; break;
      default: return std::nullopt;
    }
  }
  return modifiers;
}

bool IsBlank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// RE2 has no modifier `x`, so this removes blanks, and comments from # to the end of the line. Escaped and bracketed
// characters stay.
std::string WithoutSpacing(std::string_view pattern) {
  std::string text;
  bool in_brackets = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      text.append(pattern.substr(i++, 2));
    } else if (in_brackets || (!IsBlank(c) && c != '#')) {
      if (c == '[') in_brackets = true;
      if (c == ']') in_brackets = false;
      text.push_back(c);
    } else if (c == '#') {
      i = std::min(pattern.find('\n', i), pattern.size());
    }
  }
  return text;
}

// The cost of a pattern: the minimum, per instruction, and for one that gets too large.
constexpr uint64_t kCompileSteps = 1'000;
constexpr uint64_t kInstructionSteps = 50;
constexpr uint64_t kTooLargeSteps = uint64_t{1} << 21;

std::unique_ptr<Pattern> Compile(std::string_view pattern, std::string_view letters, uint64_t* steps) {
  *steps += kCompileSteps + pattern.size();
  const auto modifiers = ReadModifiers(letters);
  if (!modifiers || pattern.size() > PatternCache::kPatternBytesMax) return nullptr;
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(PatternCache::kCompiledBytesMax);
  std::string flags = modifiers->ignore_case ? "i" : "";
  if (modifiers->multi_line) flags.push_back('m');
  if (modifiers->dot_all) flags.push_back('s');
  std::string text = flags.empty() ? "" : "(?" + flags + ")";
  text.append(modifiers->free_spacing ? WithoutSpacing(pattern) : std::string(pattern));
  auto compiled = std::make_unique<Re2Pattern>(text, options);
  if (!compiled->ok()) {
    if (compiled->too_large()) *steps += kTooLargeSteps;
    return nullptr;
  }
  *steps += compiled->instructions() * kInstructionSteps;
  return compiled;
}

}  // namespace

PatternCache::PatternCache() = default;
PatternCache::~PatternCache() = default;

const Pattern* PatternCache::Get(std::string_view pattern, std::string_view modifiers) {
  auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& candidate) {
    return candidate.pattern == pattern && candidate.modifiers == modifiers;
  });
  if (entry == entries_.end()) {
    // Text too long to be a pattern is not worth caching either.
    if (pattern.size() > kPatternBytesMax || modifiers.size() > kPatternBytesMax) return nullptr;
    if (entries_.size() == kPatternsMax) entries_.pop_back();
    entries_.push_back({std::string(pattern), std::string(modifiers), Compile(pattern, modifiers, &steps_)});
    entry = entries_.end() - 1;
  }
  std::rotate(entries_.begin(), entry, entry + 1);
  return entries_.front().compiled.get();
}

}  // namespace lapse::query
