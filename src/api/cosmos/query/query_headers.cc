#include "api/cosmos/query/query_headers.h"

#include <string>

#include "base/base64.h"

namespace lapse::api::cosmos {

void AddQueryHeaders(Call* call, const QueryCounts& counts) {
  const net::Request& request = call->request();
  if (HeaderIsTrue(request, "x-ms-documentdb-populatequerymetrics")) {
    // Java reads indexUtilizationRatio of every page, and fails without it.
    call->response().AddHeader("x-ms-documentdb-query-metrics",
                               "retrievedDocumentCount=" + std::to_string(counts.retrieved_items) +
                                   ";retrievedDocumentSize=" + std::to_string(counts.retrieved_bytes) +
                                   ";outputDocumentCount=" + std::to_string(counts.results) + ";outputDocumentSize=" +
                                   std::to_string(counts.result_bytes) + ";indexUtilizationRatio=0.00");
  }
  if (HeaderIsTrue(request, "x-ms-cosmos-populateindexmetrics-v2")) {
    call->response().AddHeader("x-ms-cosmos-index-utilization",
                               "%7B%22UtilizedIndexes%22%3A%7B%22SingleIndexes%22%3A%5B%5D%2C%22CompositeIndexes%22%3A"
                               "%5B%5D%7D%2C%22PotentialIndexes%22%3A%7B%22SingleIndexes%22%3A%5B%5D%2C"
                               "%22CompositeIndexes%22%3A%5B%5D%7D%7D");
  } else if (HeaderIsTrue(request, "x-ms-cosmos-populateindexmetrics")) {
    // The older form of the same.
    call->response().AddHeader("x-ms-cosmos-index-utilization",
                               Base64(R"({"UtilizedSingleIndexes":[],"PotentialSingleIndexes":[],)"
                                      R"("UtilizedCompositeIndexes":[],"PotentialCompositeIndexes":[]})"));
  }
}

}  // namespace lapse::api::cosmos
