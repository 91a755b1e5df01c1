// Pages of feeds: how many, from where, and the envelope around them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "net/http.h"

namespace lapse::api::cosmos {

constexpr size_t kPageBytesMax = 4 * 1024 * 1024;  // of documents

struct PageRequest {
  int items_max = 0;
  std::string position;  // empty: from the start
};

// How many items a page may have, by x-ms-max-item-count (-1: our choice). Fails: kInvalidArgument.
Result<int> ReadMaxItemCount(const net::Request& request);

// Reads x-ms-max-item-count (-1: our choice) and x-ms-continuation, which must be one of this `feed`.
// Fails: kInvalidArgument.
Result<PageRequest> ReadPageRequest(const net::Request& request, std::string_view feed);

// `{"_rid":"...","Documents":[...],"_count":n}`, written straight into a body.
class FeedBody {
 public:
  FeedBody(std::string_view rid, std::string_view name, std::string* body);

  // Where the next resource is to be appended.
  std::string* Next();
  int count() const { return count_; }
  void End();

 private:
  std::string* const body_;
  int count_ = 0;
};

// Adds x-ms-item-count and, unless `next_position` is empty, x-ms-continuation.
void AddPageHeaders(Call* call, std::string_view feed, int count, std::string_view next_position);

}  // namespace lapse::api::cosmos
