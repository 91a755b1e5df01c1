#include "query/exec/paging/scan_state_cache.h"

#include <random>
#include <utility>

#include "base/bytes.h"
#include "query/values/held_memory.h"

namespace lapse::query::exec {
namespace {

std::string NewName() {
  constexpr int kWords = 4;
  std::random_device device;
  std::string name;
  for (int i = 0; i < kWords; ++i) PutLittleEndian(&name, static_cast<uint32_t>(device()));
  return name;
}

}  // namespace

// Returns its memory to the pool with its last user.
struct ScanStateCache::State {
  std::string bytes;
  HeldMemory held;
};

std::string ScanStateCache::Keep(std::string state) {
  if (state.size() > each_bytes_max()) return {};
  auto entry = std::make_shared<State>();
  entry->held = HeldMemory(&memory_);
  std::lock_guard lock(mutex_);
  while (!entry->held.GrowTo(state.size())) {
    if (entries_.empty()) return {};
    by_name_.erase(entries_.back().name);
    entries_.pop_back();
  }
  entry->bytes = std::move(state);
  entries_.push_front({NewName(), std::move(entry)});
  by_name_.emplace(entries_.front().name, entries_.begin());
  return entries_.front().name;
}

std::shared_ptr<const std::string> ScanStateCache::Find(std::string_view name) {
  std::lock_guard lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  const std::shared_ptr<const State>& state = found->second->state;
  return {state, &state->bytes};
}

}  // namespace lapse::query::exec
