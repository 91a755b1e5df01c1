#include "query/exec/paging/kept_walks.h"

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

// The memory is given back when nobody looks at it any more.
struct KeptWalks::Kept {
  std::string seen;
  HeldMemory held;
};

std::string KeptWalks::Keep(std::string seen) {
  if (seen.size() > each_bytes_max()) return {};
  auto kept = std::make_shared<Kept>();
  kept->held = HeldMemory(&memory_);
  std::lock_guard lock(mutex_);
  while (!kept->held.GrowTo(seen.size())) {
    if (walks_.empty()) return {};
    by_name_.erase(walks_.back().name);
    walks_.pop_back();
  }
  kept->seen = std::move(seen);
  walks_.push_front({NewName(), std::move(kept)});
  by_name_.emplace(walks_.front().name, walks_.begin());
  return walks_.front().name;
}

std::shared_ptr<const std::string> KeptWalks::Find(std::string_view name) {
  std::lock_guard lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  walks_.splice(walks_.begin(), walks_, found->second);
  const std::shared_ptr<const Kept>& kept = found->second->kept;
  return {kept, &kept->seen};
}

}  // namespace lapse::query::exec
