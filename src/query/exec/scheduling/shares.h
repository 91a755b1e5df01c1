// Work in shares, done by the thread that wants it and by others that happen to be free (docs/design/query.md,
// "Several partitions at once").
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "base/helpers.h"
#include "query/exec/scheduling/page_watch.h"

namespace lapse::query::exec {

// Threads: one, which helpers work for. The destructor tells them to end, and waits until they have.
class Shares {
 public:
  // Does a share on its own, each at most once, on the thread that calls and with the watch of that thread. False: no
  // further ones are to be done in this way.
  using Work = std::function<bool(size_t share, const PageWatch& watch)>;
  // What it is made of must outlive it.
  Shares(size_t count, Helpers* helpers, const PageWatch& watch, Work work);
  ~Shares();
  Shares(const Shares&) = delete;
  Shares& operator=(const Shares&) = delete;

  // Shares are asked for one after another. True: nobody has begun it, and whoever asks does it. False: `work` has done
  // it, on another thread, or on this one while it would have had to wait.
  bool IsMine(size_t share);

 private:
  void CallHelpers();
  void Help(int64_t waited_ns, const std::function<bool()>& let_others);
  // With the mutex held: the next share that `work` does; count_ for none.
  size_t BeginNext();
  // With the mutex held, and without it meanwhile.
  void Do(size_t share, const PageWatch& watch, std::unique_lock<std::mutex>* lock);

  const size_t count_;
  Helpers* const helpers_;
  const PageWatch& watch_;
  const Work work_;
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t next_ = 0;         // guarded by mutex_: nobody has begun this one and those behind it
  size_t helping_ = 0;      // guarded by mutex_: threads
  bool closed_ = false;     // guarded by mutex_: `work` begins no further ones
  std::vector<bool> done_;  // guarded by mutex_: by `work`
};

}  // namespace lapse::query::exec
