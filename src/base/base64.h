// Bytes as base64 text (RFC 4648), and back.
#pragma once

#include <string>
#include <string_view>

namespace lapse {

// The digits after A to Z, a to z and 0 to 9, and whether '=' fills up the last four.
struct Base64Form {
  char digit_62;
  char digit_63;
  bool padded;

  bool operator==(const Base64Form&) const = default;
};

inline constexpr Base64Form kBase64 = {'+', '/', true};              // keys, signatures, extended JSON
inline constexpr Base64Form kBase64DashForSlash = {'+', '-', true};  // resource ids
inline constexpr Base64Form kBase64Url = {'-', '_', false};          // what stands in headers and URLs as it is

// The number of characters for so many bytes.
constexpr size_t Base64Chars(size_t bytes, const Base64Form& form) {
  return form.padded ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
}

std::string Base64(std::string_view bytes, const Base64Form& form = kBase64);
void AppendBase64(std::string_view bytes, const Base64Form& form, std::string* text);
// Writes Base64Chars characters, and no more.
void EncodeBase64(std::string_view bytes, const Base64Form& form, char* text);

// False unless the text is digits of the form and, where it is padded, just the padding that is due. Bits that the last
// digit has to spare may be anything.
bool FromBase64(std::string_view text, std::string* bytes, const Base64Form& form = kBase64);

}  // namespace lapse
