#include "api/cosmos/throughput.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "doc/json.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr int64_t kThroughputMax = 1'000'000;
constexpr int64_t kManualMin = 400;
constexpr int64_t kManualStep = 100;
constexpr int64_t kAutoscaleMin = 1'000;
constexpr int64_t kAutoscaleStep = 1'000;

Status Invalid(std::string message) {
  return Status(Code::kInvalidArgument, std::move(message));
}

Result<int> Check(std::optional<int64_t> value, int64_t min, int64_t step) {
  if (!value || *value < min || *value > kThroughputMax || *value % step != 0) {
    return Invalid("The throughput must be a multiple of " + std::to_string(step) + " from " + std::to_string(min) +
                   " to " + std::to_string(kThroughputMax) + ".");
  }
  return static_cast<int>(*value);
}

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t value = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<int> AutoscaleMaximum(std::string_view settings) {
  std::string document;
  Status parsed = doc::JsonToBson(settings, {.depth_max = 8, .bytes_max = 4096}, &document);
  if (!parsed.ok()) return Invalid("The autoscale settings are not valid JSON: " + parsed.message());
  return Check(doc::Find(document, "maxThroughput").AsWholeNumber(), kAutoscaleMin, kAutoscaleStep);
}

}  // namespace

Result<int> RequestedThroughput(const net::Request& request) {
  std::string_view manual = request.Header("x-ms-offer-throughput");
  std::string_view autoscale = request.Header("x-ms-cosmos-offer-autopilot-settings");
  if (manual.empty() && autoscale.empty()) return 0;
  if (!manual.empty() && !autoscale.empty()) {
    return Invalid("A request may ask for manual throughput or for autoscale, not for both.");
  }
  if (!autoscale.empty()) return AutoscaleMaximum(autoscale);
  return Check(ParseNumber(manual), kManualMin, kManualStep);
}

}  // namespace lapse::api::cosmos
