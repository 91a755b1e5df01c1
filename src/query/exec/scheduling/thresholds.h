// From how much on a page does something that does not pay for less. Tests lower them, so that few items will do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lapse::query::exec {

struct Thresholds {
  // Nobody is asked to help with fewer items: that takes a few milliseconds.
  int64_t shared_items = 10'000;
  // So many entries of a condition are always read before a scan is thought of.
  size_t entries = 256;
};

}  // namespace lapse::query::exec
