// Tracks the pages that are being read. A page shows everything that is live at its first moment, and none of that may
// vanish while it is read. So an action that lets compaction drop records waits until all pages opened before it have
// ended.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <set>

namespace lapse::engine {

// Threads: any. No lock is held across a disk access.
class OpenPages {
 public:
  // Lives from before a page reads the time until its answer is built.
  class Page {
   public:
    explicit Page(OpenPages* pages);
    ~Page();
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

   private:
    OpenPages* const pages_;
    const uint64_t ticket_;
  };

  // Runs `act` once all pages that are open now have ended, or at once if there are none. Acts run in order of arrival
  // and must be short.
  void AfterThese(std::function<void()> act);

 private:
  struct Waiting {
    uint64_t ticket;  // pages with lower tickets must have ended
    std::function<void()> act;
  };

  uint64_t Begin();
  void End(uint64_t ticket);
  void RunDue();

  std::mutex acting_mutex_;  // one act at a time
  std::mutex mutex_;
  uint64_t next_ticket_ = 0;     // guarded by mutex_
  std::set<uint64_t> open_;      // guarded by mutex_
  std::deque<Waiting> waiting_;  // guarded by mutex_
};

}  // namespace lapse::engine
