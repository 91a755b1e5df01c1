#include "api/cosmos/wire/names.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "api/cosmos/wire/sent_json.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kItemIdBytesMax = 1023;
constexpr size_t kResourceNameCharsMax = 255;

// NUL cannot be part of a stored name, and no client can put it in a path.
constexpr std::string_view kIllegalInNames("/\\?#\0", 5);
constexpr std::string_view kIllegalInItemIds("/\\#\0", 4);

Status CheckCharacters(std::string_view text, std::string_view illegal) {
  const size_t at = text.find_first_of(illegal);
  if (at == std::string_view::npos) return Status::Ok();
  const std::string character = text[at] == '\0' ? "U+0000" : "'" + std::string(1, text[at]) + "'";
  return Status(Code::kInvalidArgument, "The resource name presented contains invalid character " + character + ".");
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

// The service's words.
Status TooLong(std::string_view name, std::string_view limit) {
  return Status(Code::kInvalidArgument, "The input name '" + std::string(name.substr(0, kQuotedBytesMax)) +
                                            "' is invalid. Ensure to provide a unique non-empty string less than '" +
                                            std::string(limit) + "' characters.");
}

}  // namespace

Status CheckItemId(std::string_view id) {
  if (id.empty()) return Missing();
  if (id.size() > kItemIdBytesMax) return TooLong(id, "1024");
  return CheckCharacters(id, kIllegalInItemIds);
}

Status CheckResourceName(std::string_view name) {
  if (name.empty()) return Missing();
  if (CharacterCount(name) > kResourceNameCharsMax) return TooLong(name, "255");
  LAPSE_RETURN_IF_ERROR(CheckCharacters(name, kIllegalInNames));
  if (name.back() == ' ') return Status(Code::kInvalidArgument, "The resource name can't end with space.");
  return Status::Ok();
}

}  // namespace lapse::api::cosmos
