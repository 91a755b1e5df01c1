#include "api/cosmos/wire/names.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace lapse::api::cosmos {
namespace {

constexpr size_t kItemIdBytesMax = 1023;
constexpr size_t kResourceNameCharsMax = 255;

// The first character that may not be part of an id, as an error names it; empty when there is none.
std::string_view IllegalCharacter(std::string_view id) {
  // NUL cannot be part of a stored name and no client can put it in a path.
  size_t at = id.find_first_of(std::string_view("/\\?#\0", 5));
  if (at == std::string_view::npos) return {};
  switch (id[at]) {
    case '/': return "'/'";
    case '\\': return "'\\'";
    case '?': return "'?'";
    case '#': return "'#'";
    default: return "U+0000";
  }
}

// `what`: "id" or "name".
Status CheckCharacters(std::string_view what, std::string_view text) {
  std::string_view character = IllegalCharacter(text);
  if (character.empty()) return Status::Ok();
  return Status(Code::kInvalidArgument, "The input " + std::string(what) + " is invalid: it contains the character " +
                                            std::string(character) +
                                            ". The characters '/', '\\', '?', '#' and U+0000 are not allowed.");
}

// Every byte that does not continue a UTF-8 sequence starts a character.
size_t CharacterCount(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
}

Status Missing() {
  return Status(Code::kInvalidArgument,
                "The input content is invalid because the required properties - 'id; ' - are missing");
}

Status TooLong() {
  return Status(Code::kInvalidArgument,
                "The input name is invalid. Ensure to provide a unique non-empty string of at most '255' characters.");
}

}  // namespace

Status CheckItemId(std::string_view id) {
  if (id.empty()) return Missing();
  if (id.size() > kItemIdBytesMax) {
    return Status(Code::kInvalidArgument, "The input id is invalid. It must not be longer than 1023 bytes.");
  }
  return CheckCharacters("id", id);
}

Status CheckResourceName(std::string_view name) {
  if (name.empty()) return Missing();
  if (CharacterCount(name) > kResourceNameCharsMax) return TooLong();
  LAPSE_RETURN_IF_ERROR(CheckCharacters("name", name));
  if (name.back() == ' ')
    return Status(Code::kInvalidArgument, "The input name is invalid. It must not end in a space.");
  return Status::Ok();
}

}  // namespace lapse::api::cosmos
