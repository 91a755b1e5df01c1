#include "api/cosmos/query/query_headers.h"

#include <string>
#include <string_view>
#include <vector>

#include "base/base64.h"
#include "base/escape.h"
#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kIndexMetrics = "x-ms-cosmos-populateindexmetrics-v2";
constexpr std::string_view kOlderIndexMetrics = "x-ms-cosmos-populateindexmetrics";
constexpr std::string_view kIndexUtilization = "x-ms-cosmos-index-utilization";

using query::exec::IndexUse;
using Texts = std::vector<std::string>;

template <typename List, typename Append>
void AppendList(const List& list, const Append& append, std::string* json) {
  json->push_back('[');
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) json->push_back(',');
    append(list[i]);
  }
  json->push_back(']');
}

void AppendTexts(const Texts& texts, std::string* json) {
  AppendList(
      texts, [&](const std::string& text) { doc::StringToJson(text, json); }, json);
}

// `{"IndexSpec":"/a/?"}`. The older form adds members that never vary.
void AppendSingle(const Texts& paths, std::string_view before, std::string_view after, std::string* json) {
  const auto append = [&](const std::string& path) {
    json->append("{").append(before).append(R"("IndexSpec":)");
    doc::StringToJson(path, json);
    json->append(after).append("}");
  };
  AppendList(paths, append, json);
}

void AppendComposite(const std::vector<Texts>& composites, std::string_view after, std::string* json) {
  const auto append = [&](const Texts& parts) {
    json->append(R"({"IndexSpecs":)");
    AppendTexts(parts, json);
    json->append(after).append("}");
  };
  AppendList(composites, append, json);
}

std::string IndexMetrics(const IndexUse& use) {
  std::string json = R"({"UtilizedIndexes":{"SingleIndexes":)";
  AppendSingle(use.utilized, "", "", &json);
  json += R"(,"CompositeIndexes":)";
  AppendComposite(use.utilized_composites, "", &json);
  json += R"(},"PotentialIndexes":{"SingleIndexes":)";
  AppendSingle(use.potential, "", "", &json);
  json += R"(,"CompositeIndexes":[]}})";
  return json;
}

std::string OlderIndexMetrics(const IndexUse& use) {
  constexpr std::string_view kBefore = R"("FilterExpression":"",)";
  constexpr std::string_view kAfter = R"(,"FilterPreciseSet":true,"IndexPreciseSet":true,"IndexImpactScore":"High")";
  constexpr std::string_view kAfterComposite = R"(,"IndexPreciseSet":true,"IndexImpactScore":"High")";
  std::string json = R"({"UtilizedSingleIndexes":)";
  AppendSingle(use.utilized, kBefore, kAfter, &json);
  json += R"(,"PotentialSingleIndexes":)";
  AppendSingle(use.potential, kBefore, kAfter, &json);
  json += R"(,"UtilizedCompositeIndexes":)";
  AppendComposite(use.utilized_composites, kAfterComposite, &json);
  json += R"(,"PotentialCompositeIndexes":[]})";
  return json;
}

// Keeps what fits into a header: clients refuse a response whose headers are too long. Leaves out entries that are too
// long themselves.
template <typename Encode>
std::string InHeader(const IndexUse& use, const Encode& encode) {
  constexpr size_t kBytesMax = 4096;
  constexpr size_t kBetween = 4;  // the most that a comma takes
  IndexUse fits;
  const size_t empty_bytes = encode(fits).size();
  size_t bytes = empty_bytes;
  const auto add = [&](auto list) {
    for (const auto& entry : use.*list) {
      IndexUse alone;
      (alone.*list).push_back(entry);
      const size_t more = encode(alone).size() - empty_bytes + kBetween;
      if (bytes + more > kBytesMax) continue;
      bytes += more;
      (fits.*list).push_back(entry);
    }
  };
  add(&IndexUse::utilized);
  add(&IndexUse::utilized_composites);
  add(&IndexUse::potential);
  return encode(fits);
}

// Rounds down to two digits. Zero of zero is 0.00.
std::string Ratio(uint64_t part, uint64_t of_all) {
  const uint64_t hundredths = of_all == 0 ? 0 : part * 100 / of_all;
  const std::string digits = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (digits.size() == 1 ? ".0" : ".") + digits;
}

}  // namespace

bool WantsIndexUse(const net::Request& request) {
  return HeaderIsTrue(request, kIndexMetrics) || HeaderIsTrue(request, kOlderIndexMetrics);
}

void AddQueryHeaders(Call* call, const QueryCounts& counts) {
  const net::Request& request = call->request();
  if (HeaderIsTrue(request, "x-ms-documentdb-populatequerymetrics")) {
    // The Java SDK reads indexUtilizationRatio of every page, and fails without it.
    call->response().AddHeader("x-ms-documentdb-query-metrics",
                               "retrievedDocumentCount=" + std::to_string(counts.retrieved_items) +
                                   ";retrievedDocumentSize=" + std::to_string(counts.retrieved_bytes) +
                                   ";outputDocumentCount=" + std::to_string(counts.results) +
                                   ";outputDocumentSize=" + std::to_string(counts.result_bytes) +
                                   ";indexUtilizationRatio=" + Ratio(counts.matching_items, counts.retrieved_items));
  }
  if (HeaderIsTrue(request, kIndexMetrics)) {
    const auto encode = [](const IndexUse& use) { return PercentEncode(IndexMetrics(use)); };
    call->response().AddHeader(kIndexUtilization, InHeader(counts.index_use, encode));
  } else if (HeaderIsTrue(request, kOlderIndexMetrics)) {
    const auto encode = [](const IndexUse& use) { return Base64(OlderIndexMetrics(use)); };
    call->response().AddHeader(kIndexUtilization, InHeader(counts.index_use, encode));
  }
}

}  // namespace lapse::api::cosmos
