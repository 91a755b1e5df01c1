// Encodes bytes as base64 text (RFC 4648) and decodes them.
#pragma once

#include <string>
#include <string_view>

namespace lapse {

// The two digits after A-Z, a-z and 0-9, and whether '=' pads the last group of four.
struct Base64Form {
  char digit_62;
  char digit_63;
  bool padded;

  bool operator==(const Base64Form&) const = default;
};

inline constexpr Base64Form kBase64 = {'+', '/', true};              // keys, signatures, extended JSON
inline constexpr Base64Form kBase64DashForSlash = {'+', '-', true};  // resource ids
inline constexpr Base64Form kBase64Url = {'-', '_', false};          // for headers and URLs, which need no escaping
                                                                     // then

// Returns the number of characters that encode `bytes` bytes.
constexpr size_t Base64Chars(size_t bytes, const Base64Form& form) {
  return form.padded ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
}

std::string Base64(std::string_view bytes, const Base64Form& form = kBase64);
void AppendBase64(std::string_view bytes, const Base64Form& form, std::string* text);
// Writes exactly Base64Chars characters.
void EncodeBase64(std::string_view bytes, const Base64Form& form, char* text);

// Returns false unless the text consists of digits of the form and, if the form is padded, exactly the padding it
// needs. Ignores the unused bits of the last digit.
bool FromBase64(std::string_view text, std::string* bytes, const Base64Form& form = kBase64);

}  // namespace lapse
