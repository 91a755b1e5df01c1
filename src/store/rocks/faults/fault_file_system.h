// A file system for tests that fails, fills up and loses what was not synced when told to. (This folder breaks the disk
// under a shard, for tests alone.)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "store/rocks/faults/disk_model.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::store {

enum class DiskError { kNone, kNoSpace, kInputOutput };

// Calls of a disk that does not answer.
enum class HangingCalls { kNone, kSyncs, kAppendsAndSyncs };

// Files live on the real disk, in directories that exist. Threads: any.
class FaultFileSystem : public FileSystemHook {
 public:
  static std::shared_ptr<FaultFileSystem> New();

  // From now on every append and every sync fails so; kNone: no longer.
  virtual void FailAll(DiskError error) = 0;
  // From now on every read of a table fails so; kNone: no longer.
  virtual void FailReads(DiskError error) = 0;
  // What the disk says is free; none: what is.
  virtual void SetFreeBytes(std::optional<uint64_t> free_bytes) = 0;
  // The n-th append (from now, counted from 1) fails, after half of its bytes were written.
  virtual void FailAppend(uint64_t n, DiskError error) = 0;
  // The n-th sync of a file fails.
  virtual void FailSync(uint64_t n, DiskError error) = 0;

  // From now on these calls do not return; kNone: those that hang go on, and no further one hangs.
  virtual void Hang(HangingCalls calls) = 0;
  // Returns once a call hangs. False: none did for half a minute.
  virtual bool WaitUntilHanging() = 0;

  // The power goes at the n-th change from now (append, sync, creation, rename, deletion); 0: at once. That change and
  // all after it seem to work and never last.
  virtual void CutPowerAt(uint64_t n) = 0;
  virtual bool power_is_cut() const = 0;
  // Leaves what a machine would find after the power cut, and puts the power back. No shard may be open.
  virtual void DropUnsynced(uint64_t seed, UnsyncedBytes unsynced) = 0;

  // Syncs of files and directories so far.
  virtual uint64_t syncs() const = 0;
  // Reads of tables so far, those that failed too.
  virtual uint64_t reads() const = 0;
};

}  // namespace lapse::store
