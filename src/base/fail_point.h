// Named places in production code where a test can inject a failure, such as a failed sync or a commit that stops half
// way. They stay in release builds. While no test has armed one, a check is a single relaxed load.
//
//   constinit FailPoint sync_fails("store.sync");          in the source that may fail
//   LAPSE_RETURN_IF_ERROR(sync_fails.Check());
//
//   ScopedFailPoint fail("store.sync", 1, [] { return Status(Code::kNoSpace, "disk full"); });    in the test
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace lapse {

// Threads: any. The armed names are shared by the whole process.
// Owns: nothing. `name` must outlive the fail point, so use a literal.
class FailPoint {
 public:
  using Action = std::function<Status()>;
  static constexpr int kAlways = -1;

  constexpr explicit FailPoint(std::string_view name) : name_(name) {}

  // Returns ok, or the result of the armed action. The action runs on the caller's thread and under none of our locks,
  // so it may wait for another thread.
  Status Check() const {
    if (armed_names_.load(std::memory_order_relaxed) == 0) [[likely]]
      return {};
    return Fire();
  }

  // Makes the next `count` checks of `name` run the action. With kAlways, every check does until Disarm. Arming a name
  // again replaces its action.
  static void Arm(std::string_view name, int count, Action action);
  // Returns how often the action ran since Arm, which lets a test detect a misspelt name.
  static int64_t Disarm(std::string_view name);

 private:
  Status Fire() const;

  static std::atomic<int> armed_names_;
  std::string_view name_;
};

// Arms a fail point until the end of the scope.
class ScopedFailPoint {
 public:
  ScopedFailPoint(std::string_view name, int count, FailPoint::Action action) : name_(name) {
    FailPoint::Arm(name_, count, std::move(action));
  }
  ~ScopedFailPoint() { FailPoint::Disarm(name_); }
  ScopedFailPoint(const ScopedFailPoint&) = delete;
  ScopedFailPoint& operator=(const ScopedFailPoint&) = delete;

 private:
  std::string name_;
};

}  // namespace lapse
