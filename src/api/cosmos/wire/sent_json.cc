#include "api/cosmos/wire/sent_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

// Steps through a text, and never leaves it, whatever it contains.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  // Returns the next character that is not blank without consuming it, or NUL at the end.
  char Peek() {
    size_t begin = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool Take(char expected) {
    if (Peek() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Includes the quotes.
  std::string_view TakeString() {
    Peek();
    return TakeFront(StringEnd(0));
  }

  std::string_view TakeValue() {
    char first = Peek();
    if (first == '"') return TakeString();
    if (first == '{' || first == '[') return TakeFront(NestedEnd());
    return TakeFront(std::min(rest_.find_first_of(",}] \t\r\n"), rest_.size()));
  }

 private:
  // Returns one past the closing quote of the string that begins at `begin`.
  size_t StringEnd(size_t begin) const {
    for (size_t i = begin + 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') return i + 1;
      if (rest_[i] == '\\') ++i;
    }
    return rest_.size();
  }

  // Returns one past the bracket that closes the one at the front. Brackets inside strings do not count.
  size_t NestedEnd() const {
    size_t depth = 0;
    for (size_t i = 0; i < rest_.size(); ++i) {
      char c = rest_[i];
      if (c == '"') {
        i = StringEnd(i) - 1;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        return i + 1;
      }
    }
    return rest_.size();
  }

  std::string_view TakeFront(size_t count) {
    std::string_view front = rest_.substr(0, count);
    rest_.remove_prefix(front.size());
    return front;
  }

  std::string_view rest_;
};

}  // namespace

std::string_view SentMember(std::string_view json, std::string_view name) {
  Scanner scanner(json);
  if (!scanner.Take('{')) return {};
  while (scanner.Peek() == '"') {
    std::string_view quoted = scanner.TakeString();
    if (!scanner.Take(':')) return {};
    std::string_view value = scanner.TakeValue();
    bool found = quoted.size() == name.size() + 2 && quoted.substr(1, name.size()) == name;
    if (found) return value;
    if (!scanner.Take(',')) return {};
  }
  return {};
}

std::string QuotedMember(std::string_view json, std::string_view name, doc::Value value) {
  std::string text(SentMember(json, name));
  if (text.empty()) doc::ValueToJson(value, &text);
  return Shortened(std::move(text));
}

std::string Shortened(std::string text) {
  if (text.size() <= kQuotedBytesMax) return text;
  size_t end = kQuotedBytesMax;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;  // do not cut within a character
  text.resize(end);
  return text + "...";
}

}  // namespace lapse::api::cosmos
