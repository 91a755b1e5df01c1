#include "api/cosmos/offers/throughput.h"

#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "api/cosmos/wire/call.h"
#include "api/cosmos/wire/request_body.h"
#include "api/invalid.h"
#include "base/ascii.h"
#include "doc/json.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kManualHeader = "x-ms-offer-throughput";
constexpr std::string_view kAutoscaleHeader = "x-ms-cosmos-offer-autopilot-settings";

constexpr int kAutoscaleStep = 1'000;

// A number that is not whole becomes one that no offer can have, which is refused with the same words.
int ToInt(std::optional<int64_t> value) {
  constexpr int kImpossible = -1;
  if (!value || *value <= 0 || *value > std::numeric_limits<int>::max()) return kImpossible;
  return static_cast<int>(*value);
}

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t value = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<engine::Throughput> Checked(engine::Throughput throughput) {
  LAPSE_RETURN_IF_ERROR(throughput.Check());
  return throughput;
}

Result<engine::Throughput> Autoscale(std::string_view settings) {
  return Checked(engine::Throughput::Autoscale(ToInt(doc::Find(settings, "maxThroughput").AsWholeNumber())));
}

Result<engine::Throughput> AutoscaleFromJson(std::string_view json) {
  std::string settings;
  Status parsed = doc::JsonToBson(json, {.depth_max = 8, .bytes_max = 4096}, &settings);
  if (!parsed.ok()) return Invalid("The autoscale settings are not valid JSON: " + parsed.message());
  return Autoscale(settings);
}

}  // namespace

Result<engine::Throughput> RequestedThroughput(const net::Request& request) {
  const bool manual = !request.Header(kManualHeader).empty();
  const bool autoscale = !request.Header(kAutoscaleHeader).empty();
  if (manual && autoscale) return Invalid("A request may ask for manual throughput or for autoscale, not for both.");
  if (autoscale) return AutoscaleFromJson(request.Header(kAutoscaleHeader));
  if (manual) return Checked(ToInt(ParseNumber(request.Header(kManualHeader))));
  return engine::Throughput();
}

Result<engine::Throughput> ReplacedThroughput(const net::Request& request, std::string_view offer,
                                              const engine::Throughput& current) {
  for (std::string_view name : {"offerType", "offerVersion"}) {
    const doc::Value text = doc::Find(offer, name);
    if (!IsAbsent(text) && text.type() != doc::Type::kString) {
      return Invalid("The property '" + std::string(name) + "' of an offer must be a string.");
    }
  }
  LAPSE_ASSIGN_OR_RETURN(const bool to_autoscale, YesOrNo(request, "x-ms-cosmos-migrate-offer-to-autopilot"));
  LAPSE_ASSIGN_OR_RETURN(const bool to_manual, YesOrNo(request, "x-ms-cosmos-migrate-offer-to-manual-throughput"));
  if (to_autoscale && to_manual) return Invalid("An offer cannot be changed to autoscale and to manual at once.");
  if (to_manual) return Checked(current.ru_per_second());

  doc::Value content = doc::Find(offer, "content");
  if (content.type() != doc::Type::kObject) return Invalid("An offer must have the property 'content', an object.");
  doc::Value settings = doc::Find(content.AsDocument(), "offerAutopilotSettings");
  if (!IsAbsent(settings)) {
    if (settings.type() != doc::Type::kObject) return Invalid("offerAutopilotSettings must be an object.");
    // Clients send back the value that they read beside it, or -1 for "none".
    doc::Value beside = doc::Find(content.AsDocument(), "offerThroughput");
    if (!IsAbsent(beside) && beside.AsWholeNumber().value_or(-2) < -1) {
      return Invalid("offerThroughput must be a whole number.");
    }
    return Autoscale(settings.AsDocument());
  }
  if (to_autoscale) {
    const int steps = (current.ru_per_second() + kAutoscaleStep - 1) / kAutoscaleStep;
    return Checked(engine::Throughput::Autoscale(steps * kAutoscaleStep));
  }
  return Checked(ToInt(doc::Find(content.AsDocument(), "offerThroughput").AsWholeNumber()));
}

}  // namespace lapse::api::cosmos
