#include "api/cosmos/changes/change_feed_request.h"

#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/cosmos/wire/call.h"
#include "api/cosmos/wire/paging.h"
#include "api/invalid.h"
#include "base/calendar.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kWireFormatHeader = "x-ms-cosmos-changefeed-wire-format-version";
constexpr std::string_view kWireFormat = "2021-09-15";

Result<ChangeFeedMode> ReadMode(std::string_view a_im) {
  if (EqualsIgnoreCase(a_im, "incremental feed")) return ChangeFeedMode::kLatestVersion;
  if (EqualsIgnoreCase(a_im, "full-fidelity feed")) return ChangeFeedMode::kAllVersionsAndDeletes;
  return Invalid("The value of A-IM must be 'Incremental Feed' or 'Full-Fidelity Feed'.");
}

// Checks what applies only to the feed of all versions.
Status CheckAllVersions(const net::Request& request) {
  const bool has_time = !request.Header("if-modified-since").empty();
  const bool has_place = !request.Header("if-none-match").empty();
  if (has_time || !has_place) {
    return Invalid(
        "You must read the change feed from within the retention period. The change feed of all versions and deletes "
        "starts from now (If-None-Match: *) or goes on from a continuation; it cannot start from the beginning or from "
        "a time.");
  }
  return Status::Ok();
}

// Whether the request asks for a wire format. There is only one.
Result<bool> ReadWireFormat(std::string_view header) {
  if (header.empty() || header == kWireFormat) return !header.empty();
  return Invalid("The value of x-ms-cosmos-changefeed-wire-format-version must be '2021-09-15'.");
}

// With or without the quotes of an etag: clients keep continuations in either form.
Status ParseContinuation(std::string_view text, ChangeFeedRequest* feed) {
  bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  std::string_view position = quoted ? text.substr(1, text.size() - 2) : text;
  const char* end = position.data() + position.size();
  std::from_chars_result parsed = std::from_chars(position.data(), end, feed->after);
  if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == '+') {
    parsed = std::from_chars(parsed.ptr + 1, end, feed->page_items);
    if (feed->page_items <= 0) parsed.ec = std::errc::invalid_argument;
  }
  if (parsed.ec == std::errc() && parsed.ptr == end) return Status::Ok();
  return Invalid("The value of If-None-Match is not a continuation of a change feed, nor '*'.");
}

}  // namespace

Result<ChangeFeedRequest> ReadChangeFeedRequest(const net::Request& request) {
  ChangeFeedRequest feed;
  LAPSE_ASSIGN_OR_RETURN(feed.mode, ReadMode(request.Header("a-im")));
  if (feed.mode == ChangeFeedMode::kAllVersionsAndDeletes) LAPSE_RETURN_IF_ERROR(CheckAllVersions(request));
  LAPSE_ASSIGN_OR_RETURN(feed.enveloped, ReadWireFormat(request.Header(kWireFormatHeader)));
  LAPSE_ASSIGN_OR_RETURN(feed.items_max, ReadMaxItemCount(request));
  std::string_view position = request.Header("if-none-match");
  feed.from_now = position == "*";
  if (!position.empty() && !feed.from_now) {
    LAPSE_RETURN_IF_ERROR(ParseContinuation(position, &feed));
  }
  if (std::string_view since = request.Header("if-modified-since"); !since.empty()) {
    int64_t since_ms = 0;
    if (!ParseRfc1123(since, &since_ms)) {
      return Invalid("The value of If-Modified-Since is not a date in the RFC 1123 format.");
    }
    feed.since_s = since_ms / 1000;
  }
  return feed;
}

std::string ChangeFeedContinuation(engine::Sequence last, int page_items) {
  const std::string rest_of_page = page_items > 0 ? "+" + std::to_string(page_items) : "";
  return '"' + std::to_string(last) + rest_of_page + '"';
}

}  // namespace lapse::api::cosmos
