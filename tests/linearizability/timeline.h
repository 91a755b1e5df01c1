// The single order in which all clients note their events, and what is known of the server's clock at each position.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "tests/linearizability/history.h"

namespace lapse::linearizability {

// Threads: any may call Next, ClockWillMove and ClockMoved; the rest is for one thread, after all clients have ended.
class Timeline {
 public:
  explicit Timeline(int64_t start_s) : start_s_(start_s) {}

  int64_t Next() { return ++last_; }

  // Notes that the clock is about to move: from here on clients may see a later second. Returns the position of this
  // event.
  int64_t ClockWillMove(int64_t seconds) {
    std::lock_guard lock(mutex_);
    const int64_t latest_s = SecondAt(kNever);
    moves_.push_back({Next(), kNever, latest_s + seconds});
    return moves_.back().begun;
  }
  // Notes the result of the move that began at `begun`: the clock may have shown this second from `begun` on, and did
  // from `ended` on.
  void ClockMoved(int64_t begun, int64_t ended, int64_t to_s) {
    std::lock_guard lock(mutex_);
    std::erase_if(moves_, [&](const Move& move) { return move.begun == begun; });
    moves_.push_back({begun, ended, to_s});
  }
  // Operations that were unknown before this position have happened, or never do.
  void Restarted(int64_t ended) { restarts_.push_back(ended); }

  // Fills in what follows from the operation's positions in the order.
  void Place(Operation* operation) const {
    operation->earliest_s = start_s_;
    for (const Move& move : moves_) {
      if (move.ended < operation->invoked) operation->earliest_s = std::max(operation->earliest_s, move.to_s);
    }
    operation->latest_s = SecondAt(operation->ended);
    operation->settled = kNever;
    for (const int64_t restart : restarts_) {
      if (restart > operation->ended) operation->settled = std::min(operation->settled, restart);
    }
    operation->settled_s = SecondAt(operation->settled);
  }

 private:
  struct Move {
    int64_t begun;
    int64_t ended;
    int64_t to_s;
  };

  // The latest second that the clock can have shown. Needs mutex_ while clients are at work.
  int64_t SecondAt(int64_t place) const {
    int64_t second = start_s_;
    for (const Move& move : moves_) {
      if (move.begun < place) second = std::max(second, move.to_s);
    }
    return second;
  }

  const int64_t start_s_;
  std::atomic<int64_t> last_{0};
  std::mutex mutex_;
  std::vector<Move> moves_;  // guarded by mutex_
  std::vector<int64_t> restarts_;
};

}  // namespace lapse::linearizability
