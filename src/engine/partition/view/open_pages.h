// The pages that are being read. A page shows everything that lives by its first moment, so nothing of that may vanish
// from under it: what lets a compaction take records away waits until the pages that were open before it have ended.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <set>

namespace lapse::engine {

// Threads: any. No lock of it is held across a disk access.
class OpenPages {
 public:
  // A page, from before it reads the time until its answer is built.
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

  // Runs `act` when every page that is open now has ended; at once when there is none. Acts run in the order in which
  // they came. They must be short.
  void AfterThese(std::function<void()> act);

 private:
  struct Waiting {
    uint64_t ticket;  // pages before it must have ended
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
