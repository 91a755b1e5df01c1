// Pages of feeds: their size, their start, and the envelope around them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/partition/reads/page_limit.h"
#include "net/http.h"

namespace lapse::api::cosmos {

constexpr size_t kPageBytesMax = 4 * 1024 * 1024;  // of a page as it is sent
// Limit for a page with a single query result. No stored item gets so large, although numbers may be returned longer
// than they were written (9e15 as 9000000000000000).
constexpr size_t kResultBytesMax = 2 * kPageBytesMax;

struct PageRequest {
  int items_max = 0;
  std::string position;  // empty: from the start
};

// Reads how many items a page may have from x-ms-max-item-count (-1: our choice). Fails: kInvalidArgument.
Result<int> ReadMaxItemCount(const net::Request& request);

// Reads x-ms-max-item-count (-1: our choice) and x-ms-continuation, which must belong to this `feed`. Fails:
// kInvalidArgument.
Result<PageRequest> ReadPageRequest(const net::Request& request, std::string_view feed);

// Writes `{"_rid":"...","Documents":[...],"_count":n}` directly into a body.
class FeedBody {
 public:
  FeedBody(std::string_view rid, std::string_view name, std::string* body);

  // Appends the next resource with `append(body)`. Returns false, removing it again, if the page becomes too large. A
  // resource that must be on the page always stays.
  template <typename Append>
  bool Add(engine::Place place, Append append) {
    const size_t before = body_->size();
    if (count_ > 0) body_->push_back(',');
    append(body_);
    if (place == engine::Place::kIfItFits && body_->size() > kPageBytesMax - kEndBytesMax) {
      body_->resize(before);
      return false;
    }
    ++count_;
    return true;
  }
  // The same for feeds that do not come from an engine page: the first resource must be on it.
  template <typename Append>
  bool Add(Append append) {
    return Add(count_ == 0 ? engine::Place::kMust : engine::Place::kIfItFits, append);
  }
  int count() const { return count_; }
  // Whether a query has made a result too large for any page.
  bool has_huge_result() const { return body_->size() > kResultBytesMax; }
  void End();

 private:
  static constexpr size_t kEndBytesMax = 64;

  std::string* const body_;
  int count_ = 0;
};

Status HugeResult();

// Adds x-ms-item-count and, unless `next_position` is empty, x-ms-continuation.
void AddPageHeaders(Call* call, std::string_view feed, int count, std::string_view next_position);

}  // namespace lapse::api::cosmos
