#include "engine/records/ids/key_bytes.h"

namespace lapse::engine {
namespace {

constexpr char kEscape = '\xFF';  // behind a byte 00 that is not the end
constexpr size_t kEndBytes = 2;

}  // namespace

void PutEscaped(std::string* out, std::string_view bytes) {
  for (char byte : bytes) {
    out->push_back(byte);
    if (byte == '\0') out->push_back(kEscape);
  }
}

void PutEscapedText(std::string* out, std::string_view bytes) {
  PutEscaped(out, bytes);
  out->append(kEndBytes, '\0');
}

std::optional<size_t> EscapedTextBytes(std::string_view key) {
  for (size_t at = 0; (at = key.find('\0', at)) != std::string_view::npos; at += 2) {
    if (at + 1 == key.size()) return std::nullopt;
    if (key[at + 1] == '\0') return at + kEndBytes;
    if (key[at + 1] != kEscape) return std::nullopt;
  }
  return std::nullopt;
}

void UnescapeText(std::string_view escaped, std::string* bytes) {
  bytes->clear();
  escaped.remove_suffix(kEndBytes);
  for (size_t at = 0; at < escaped.size(); ++at) {
    bytes->push_back(escaped[at]);
    if (escaped[at] == '\0') ++at;
  }
}

}  // namespace lapse::engine
