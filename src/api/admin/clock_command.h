// A command to the test clock: {"freeze": true}, {"resume": true}, {"advance": "30d"} or seconds, {"set": unix
// seconds}.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "engine/time/store_clock.h"

namespace lapse::api::admin {

struct ClockCommand {
  enum class Action { kFreeze, kResume, kAdvance, kSet };

  Action action = Action::kFreeze;
  int64_t amount_ms = 0;  // kAdvance: by how much; kSet: Unix time
};

// Fails: kInvalidArgument for anything but exactly one action with a valid value.
Result<ClockCommand> ParseClockCommand(std::string_view json);

// May block on the disk. Fails: kForbidden without the test clock; kInvalidArgument for going back or beyond the year
// 9999.
Status Apply(const ClockCommand& command, engine::StoreClock* clock);

}  // namespace lapse::api::admin
