// Named places in production code where a test can make things go wrong: a sync that fails, a commit that stops half
// way. They stay in release builds; while no test has armed one, a check is a single relaxed load.
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

// Threads: any; all of a process share the armed names. Owns: nothing, `name` must outlive it (a literal).
class FailPoint {
 public:
  using Action = std::function<Status()>;
  static constexpr int kAlways = -1;

  constexpr explicit FailPoint(std::string_view name) : name_(name) {}

  // Ok, unless a test armed this name: then what its action returns. The action runs on the caller's thread, under no
  // lock of ours, so it may also wait for another thread.
  Status Check() const {
    if (armed_names_.load(std::memory_order_relaxed) == 0) [[likely]]
      return {};
    return Fire();
  }

  // The next `count` checks of `name` run the action; kAlways: every check until Disarm. Arming again replaces.
  static void Arm(std::string_view name, int count, Action action);
  // Returns how often the action ran since Arm: a test that armed a misspelt name can tell.
  static int64_t Disarm(std::string_view name);

 private:
  Status Fire() const;

  static std::atomic<int> armed_names_;
  std::string_view name_;
};

// Armed from here to the end of the scope.
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
