// What clients of a run talk to, and what can be done to it.
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
    kRefused,  // nothing happened, and the server says so
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

// One container, with a unique key on the tag, and a clock that stands still until it is moved.
// Threads: any may connect, move the clock and ask; one disturbs and restarts, while nobody else is at work.
class Database {
 public:
  virtual ~Database() = default;

  // Of the container; none: time to live is off.
  virtual std::optional<int64_t> default_ttl() const = 0;
  virtual std::unique_ptr<Connection> Connect() = 0;

  virtual int64_t NowSeconds() = 0;
  // The second that is shown then: the old one, if the server refused to move it. None: it may have been moved or not.
  virtual std::optional<int64_t> MoveClock(int64_t seconds) = 0;

  // Things go wrong from here on, by this seed.
  virtual void Disturb(uint64_t seed) = 0;
  // A client is about to send: what was to happen at some operation can happen now.
  virtual void BeforeOperation() {}
  // The server has crashed: answers that have not been noted yet count no longer.
  virtual bool crashed() const = 0;
  // Ends the server, if it has not crashed, and starts it on what it left; nothing goes wrong from here on.
  virtual Status Restart(uint64_t seed) = 0;
};

}  // namespace lapse::linearizability
