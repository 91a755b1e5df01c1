#include "api/cosmos/wire/paging.h"

#include <algorithm>
#include <charconv>

#include "api/cosmos/wire/continuation.h"
#include "api/cosmos/wire/sent_json.h"

namespace lapse::api::cosmos {
namespace {

constexpr int kItemsDefault = 100;
constexpr int kItemsMax = 1000;

}  // namespace

Result<int> ReadMaxItemCount(const net::Request& request) {
  std::string_view header = request.Header("x-ms-max-item-count");
  if (header.empty()) return kItemsDefault;
  int64_t count = 0;
  auto [stop, error] = std::from_chars(header.data(), header.data() + header.size(), count);
  if (error != std::errc() || stop != header.data() + header.size() || count == 0 || count < -1) {
    return Status(Code::kInvalidArgument,
                  "The input PageSize " + std::string(header.substr(0, kQuotedBytesMax)) +
                      " is invalid. Ensure to pass a valid page size which must be a positive integer or -1 for a "
                      "dynamic page size.");
  }
  return count == -1 ? kItemsMax : static_cast<int>(std::min<int64_t>(count, kItemsMax));
}

Result<PageRequest> ReadPageRequest(const net::Request& request, std::string_view feed) {
  PageRequest page;
  LAPSE_ASSIGN_OR_RETURN(page.items_max, ReadMaxItemCount(request));
  if (std::string_view token = request.Header("x-ms-continuation"); !token.empty()) {
    LAPSE_ASSIGN_OR_RETURN(page.position, DecodeContinuation(feed, token));
  }
  return page;
}

FeedBody::FeedBody(std::string_view rid, std::string_view name, std::string* body) : body_(body) {
  body_->append(R"({"_rid":")").append(rid).append(R"(",")").append(name).append(R"(":[)");
}

void FeedBody::End() {
  body_->append(R"(],"_count":)").append(std::to_string(count_)).push_back('}');
}

Status HugeResult() {
  return {Code::kTooLarge, "A result of the query has more than 8 MB as JSON: select less of the item."};
}

void AddPageHeaders(Call* call, std::string_view feed, int count, std::string_view next_position) {
  call->response().AddHeader("x-ms-item-count", int64_t{count});
  if (!next_position.empty()) call->response().AddHeader("x-ms-continuation", EncodeContinuation(feed, next_position));
}

}  // namespace lapse::api::cosmos
