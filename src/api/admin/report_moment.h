// The time of a report.
#pragma once

#include <cstdint>

#include "doc/writer.h"

namespace lapse::api::admin {

struct ReportMoment {
  int64_t now_ms = 0;     // store time
  int64_t uptime_ms = 0;  // steady time since the start, for computing rates
  bool clock_held = false;
};

// Appends "now" in seconds, "now_ms" and "uptime_ms".
inline void AppendMoment(const ReportMoment& moment, doc::Writer* writer) {
  writer->AppendInteger("now", moment.now_ms / 1000);
  writer->AppendInteger("now_ms", moment.now_ms);
  writer->AppendInteger("uptime_ms", moment.uptime_ms);
}

}  // namespace lapse::api::admin
