// What a request for the change feed asks for, beside its scope: which feed, from where, and how much of it.
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
  bool enveloped = false;          // each change is to be an object with the item in it, also where it need not be
  bool from_now = false;           // what was written up to now is left out
  engine::Sequence after = 0;      // the continuation; 0: from the beginning
  int page_items = 0;              // that a page of which this is the rest had, before expired records cut it short
  std::optional<int64_t> since_s;  // only what was written in this second or later
  int items_max = 0;
};

// Reads A-IM, x-ms-cosmos-changefeed-wire-format-version, If-None-Match (a continuation, or `*` for now),
// If-Modified-Since and x-ms-max-item-count. Fails: kInvalidArgument.
Result<ChangeFeedRequest> ReadChangeFeedRequest(const net::Request& request);

// `"5"`: what the client sends back to go on behind that place. `"5+2"`: and with the rest of a page that had 2 items.
std::string ChangeFeedContinuation(engine::Sequence last, int page_items);

}  // namespace lapse::api::cosmos
