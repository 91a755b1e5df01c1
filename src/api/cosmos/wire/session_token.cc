#include "api/cosmos/wire/session_token.h"

#include <algorithm>
#include <charconv>

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kSessionTokenVersion = "1";
// The most of a token that an error quotes.
constexpr size_t kQuotedTokenBytesMax = 200;

// Accepts a whole decimal number and nothing else.
template <typename T>
bool ParseNumber(std::string_view text, T* value) {
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, *value);
  return !text.empty() && error == std::errc() && stop == end;
}

std::string_view TakeUntil(std::string_view* rest, char separator) {
  size_t end = rest->find(separator);
  std::string_view part = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return part;
}

bool ValidRegions(std::string_view regions) {
  while (!regions.empty()) {
    std::string_view region = TakeUntil(&regions, '#');
    std::string_view id = TakeUntil(&region, '=');
    uint64_t region_id = 0;
    int64_t lsn = 0;
    if (!ParseNumber(id, &region_id) || !ParseNumber(region, &lsn)) return false;
  }
  return true;
}

struct RangeToken {
  uint32_t range_id = 0;
  uint64_t lsn = 0;
};

bool ParseRangeToken(std::string_view text, RangeToken* token) {
  size_t colon = text.find(':');
  if (colon == std::string_view::npos || !ParseNumber(text.substr(0, colon), &token->range_id)) return false;
  std::string_view rest = text.substr(colon + 1);
  int64_t version = 0;
  if (rest.find('#') == std::string_view::npos || !ParseNumber(TakeUntil(&rest, '#'), &version)) return false;
  bool has_regions = rest.find('#') != std::string_view::npos;
  if (!ParseNumber(TakeUntil(&rest, '#'), &token->lsn)) return false;
  return has_regions ? !rest.empty() && ValidRegions(rest) : true;
}

}  // namespace

void AppendSessionToken(uint32_t range_id, uint64_t lsn, std::string* out) {
  if (!out->empty()) out->push_back(',');
  char digits[24];
  auto number = [&](uint64_t value) {
    out->append(digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof(digits), value).ptr - digits));
  };
  number(range_id);
  out->append(":").append(kSessionTokenVersion).append("#");
  number(lsn);
}

Result<uint64_t> RequestedLsn(std::string_view token, uint32_t range_id) {
  const std::string_view whole = token;
  uint64_t lsn = 0;
  bool more = !token.empty();
  while (more) {
    more = token.find(',') != std::string_view::npos;
    RangeToken range;
    if (!ParseRangeToken(TakeUntil(&token, ','), &range)) {
      return Status(Code::kInvalidArgument, "The session token provided '" +
                                                std::string(whole.substr(0, kQuotedTokenBytesMax)) + "' is invalid.");
    }
    if (range.range_id == range_id) lsn = std::max(lsn, range.lsn);
  }
  return lsn;
}

Status CheckSession(std::string_view token, uint32_t range_id, uint64_t last_lsn) {
  if (token.empty()) return Status::Ok();
  LAPSE_ASSIGN_OR_RETURN(const uint64_t asked, RequestedLsn(token, range_id));
  if (asked <= last_lsn) return Status::Ok();
  return Status(Code::kSessionNotAvailable, "The read session is not available for the input session token.");
}

}  // namespace lapse::api::cosmos
