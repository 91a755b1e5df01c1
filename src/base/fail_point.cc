#include "base/fail_point.h"

#include <map>
#include <mutex>
#include <utility>

namespace lapse {
namespace {

struct Armed {
  int left = 0;
  int64_t fired = 0;
  FailPoint::Action action;
};

struct Registry {
  std::mutex mutex;
  std::map<std::string, Armed, std::less<>> armed;  // guarded by mutex
};

// Never destroyed: threads may still check while the process ends.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

std::atomic<int> FailPoint::armed_names_{0};

void FailPoint::Arm(std::string_view name, int count, Action action) {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  registry.armed.insert_or_assign(std::string(name), Armed{count, 0, std::move(action)});
  armed_names_.store(static_cast<int>(registry.armed.size()), std::memory_order_relaxed);
}

int64_t FailPoint::Disarm(std::string_view name) {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  auto found = registry.armed.find(name);
  if (found == registry.armed.end()) return 0;
  int64_t fired = found->second.fired;
  registry.armed.erase(found);
  armed_names_.store(static_cast<int>(registry.armed.size()), std::memory_order_relaxed);
  return fired;
}

Status FailPoint::Fire() const {
  Action action;
  {
    Registry& registry = TheRegistry();
    std::lock_guard lock(registry.mutex);
    auto found = registry.armed.find(name_);
    if (found == registry.armed.end() || found->second.left == 0) return {};
    if (found->second.left > 0) --found->second.left;
    ++found->second.fired;
    action = found->second.action;
  }
  return action();
}

}  // namespace lapse
