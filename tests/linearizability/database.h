// The database under test: what clients send requests to, and the faults that can be injected.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tests/linearizability/history.h"

namespace lapse::linearizability {

struct Answer {
  enum class Kind {
    kKnown,
    kRefused,  // the server says that nothing happened
    kUnknown,
  };

  Kind kind = Kind::kUnknown;
  std::vector<ActionResult> results = {};  // kKnown
};

// Threads: one.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual Answer Send(const std::string& partition, const std::vector<Action>& actions, bool batch) = 0;
};

// One container, with a unique key on the tag, and a clock that moves only when told to. Threads: any may connect, move
// the clock and ask; one disturbs and restarts, while no other thread is at work.
class Database {
 public:
  virtual ~Database() = default;

  // The container's default; none: time to live is off.
  virtual std::optional<int64_t> default_ttl() const = 0;
  virtual std::unique_ptr<Connection> Connect() = 0;

  virtual int64_t NowSeconds() = 0;
  // Returns the second shown afterwards, which is the old one if the server refused to move it. None: the outcome is
  // unknown.
  virtual std::optional<int64_t> MoveClock(int64_t seconds) = 0;

  // Injects faults from here on, by this seed.
  virtual void Disturb(uint64_t seed) = 0;
  // Called before each operation of a client. A fault that is scheduled for an operation can happen here.
  virtual void BeforeOperation() {}
  // Whether the server has crashed. Answers that are not noted yet no longer count then.
  virtual bool crashed() const = 0;
  // Stops the server, unless it has crashed, and starts it on what it left. No faults are injected from here on.
  virtual Status Restart(uint64_t seed) = 0;
};

}  // namespace lapse::linearizability
