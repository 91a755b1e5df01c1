#include "api/admin/clock_command.h"

#include <optional>
#include <string>

#include "api/invalid.h"
#include "doc/json.h"
#include "doc/value.h"
#include "ttl/ttl_value.h"

namespace lapse::api::admin {
namespace {

constexpr doc::JsonLimits kCommandLimits = {.depth_max = 2, .bytes_max = 4096};

// The end of the year 9999: the last moment that dates in headers and queries can express.
constexpr int64_t kLatest_ms = 253'402'300'799'999;

Result<int64_t> SecondsToMs(std::optional<int64_t> seconds, std::string_view name) {
  if (!seconds) return Invalid(std::string(name) + " must be a whole number of seconds");
  if (*seconds < 0) return Invalid(std::string(name) + " must not be negative: time does not go back");
  if (*seconds > kLatest_ms / 1000) return Invalid(std::string(name) + " is beyond the year 9999");
  return *seconds * 1000;
}

Result<int64_t> AdvanceMs(doc::Value value) {
  if (value.type() == doc::Type::kString) return ttl::ParseDurationMs(value.AsString());
  if (!value.IsNumber()) return Invalid("advance must be a duration such as \"30d\", or seconds");
  return SecondsToMs(value.AsWholeNumber(), "advance");
}

Result<int64_t> SetMs(doc::Value value) {
  if (!value.IsNumber()) return Invalid("set must be Unix time in seconds");
  return SecondsToMs(value.AsWholeNumber(), "set");
}

Result<ClockCommand> Switch(ClockCommand::Action action, const doc::Element& element) {
  if (element.value.type() == doc::Type::kBool && element.value.AsBool()) return ClockCommand{action, 0};
  return Invalid(std::string(element.name) + " can only be true");
}

Result<ClockCommand> FromElement(const doc::Element& element) {
  if (element.name == "freeze") return Switch(ClockCommand::Action::kFreeze, element);
  if (element.name == "resume") return Switch(ClockCommand::Action::kResume, element);
  if (element.name == "advance") {
    LAPSE_ASSIGN_OR_RETURN(int64_t by_ms, AdvanceMs(element.value));
    return ClockCommand{ClockCommand::Action::kAdvance, by_ms};
  }
  if (element.name == "set") {
    LAPSE_ASSIGN_OR_RETURN(int64_t to_ms, SetMs(element.value));
    return ClockCommand{ClockCommand::Action::kSet, to_ms};
  }
  return Invalid("unknown member '" + std::string(element.name) + "'; one of freeze, resume, advance, set");
}

}  // namespace

Result<ClockCommand> ParseClockCommand(std::string_view json) {
  std::string document;
  LAPSE_RETURN_IF_ERROR(doc::JsonToBson(json, kCommandLimits, &document));
  doc::Reader reader(document);
  std::optional<doc::Element> element = reader.Next();
  if (!element || reader.Next()) return Invalid("exactly one of freeze, resume, advance, set");
  return FromElement(*element);
}

Status Apply(const ClockCommand& command, engine::StoreClock* clock) {
  switch (command.action) {
    case ClockCommand::Action::kFreeze: return clock->Freeze();
    case ClockCommand::Action::kResume: return clock->Resume();
    case ClockCommand::Action::kSet: return clock->Set(command.amount_ms);
    case ClockCommand::Action::kAdvance: break;
  }
  if (command.amount_ms > kLatest_ms - clock->NowMs()) return Invalid("advance goes beyond the year 9999");
  return clock->Advance(command.amount_ms);
}

}  // namespace lapse::api::admin
