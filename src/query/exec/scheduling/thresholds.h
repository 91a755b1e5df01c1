// Thresholds above which an optimisation pays for its own set-up. Tests lower them so that few items suffice.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lapse::query::exec {

struct Thresholds {
  // A page requests helpers from this many items on. It reads fewer in a few milliseconds.
  int64_t shared_items = 10'000;
  // A page reads at least this many entries of a condition before it prefers a scan.
  size_t entries = 256;
};

}  // namespace lapse::query::exec
