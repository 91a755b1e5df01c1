// What a change feed request asks for within its scope: which feed, from where, and how much of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "net/http.h"

namespace lapse::api::cosmos {

enum class ChangeFeedMode : uint8_t {
  kLatestVersion,
  kAllVersionsAndDeletes,  // always from now or from a continuation
};

struct ChangeFeedRequest {
  ChangeFeedMode mode = ChangeFeedMode::kLatestVersion;
  bool enveloped = false;          // wrap each item in an envelope, even if the feed does not require it
  bool from_now = false;           // skip everything written up to now
  engine::Sequence after = 0;      // the continuation; 0: from the beginning
  int page_items = 0;              // items already sent of a page that expired records cut short
  std::optional<int64_t> since_s;  // only items written in this second or later
  int items_max = 0;
};

// Reads A-IM, x-ms-cosmos-changefeed-wire-format-version, If-None-Match (a continuation, or `*` for now),
// If-Modified-Since and x-ms-max-item-count. Fails: kInvalidArgument.
Result<ChangeFeedRequest> ReadChangeFeedRequest(const net::Request& request);

// `"5"`: the client sends it back to resume after that position. `"5+2"`: the same, for the rest of a page that had 2
// items.
std::string ChangeFeedContinuation(engine::Sequence last, int page_items);

}  // namespace lapse::api::cosmos
