#include "api/cosmos/names.h"

#include <algorithm>
#include <cstdint>

namespace lapse::api::cosmos {
namespace {

constexpr size_t kItemIdBytesMax = 1023;
constexpr size_t kResourceNameCharsMax = 255;

bool HasIllegalCharacter(std::string_view id) {
  // NUL cannot be part of a stored name and no client can put it in a path.
  return id.find_first_of(std::string_view("/\\?#\0", 5)) != std::string_view::npos;
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

Status Illegal() {
  return Status(Code::kInvalidArgument,
                "The input name is invalid. Ensure to provide a unique non-empty string less than '255' characters, "
                "without the characters '/', '\\', '?' and '#'.");
}

}  // namespace

Status CheckItemId(std::string_view id) {
  if (id.empty()) return Missing();
  if (id.size() > kItemIdBytesMax) {
    return Status(Code::kInvalidArgument, "The input id is invalid. It must not be longer than 1023 bytes.");
  }
  if (HasIllegalCharacter(id)) {
    return Status(Code::kInvalidArgument,
                  "The input id is invalid. It must not contain the characters '/', '\\', '?' and '#'.");
  }
  return Status::Ok();
}

Status CheckResourceName(std::string_view name) {
  if (name.empty()) return Missing();
  if (CharacterCount(name) > kResourceNameCharsMax || HasIllegalCharacter(name)) return Illegal();
  if (name.back() == ' ')
    return Status(Code::kInvalidArgument, "The input name is invalid. It must not end in a space.");
  return Status::Ok();
}

}  // namespace lapse::api::cosmos
