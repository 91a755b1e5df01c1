// A file system for tests that fails, fills up and loses unsynced data on demand. (This folder breaks the disk under a
// shard, for tests only.)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "store/rocks/faults/disk_model.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::store {

enum class DiskError { kNone, kNoSpace, kInputOutput };

// Calls that hang.
enum class HangingCalls { kNone, kSyncs, kAppendsAndSyncs };

// Files live on the real disk, in directories that exist. Threads: any.
class FaultFileSystem : public FileSystemHook {
 public:
  static std::shared_ptr<FaultFileSystem> New();

  // Makes every append and every sync fail until called with kNone.
  virtual void FailAll(DiskError error) = 0;
  // Makes every read of a table fail until called with kNone.
  virtual void FailReads(DiskError error) = 0;
  // Sets the reported free space; none reports the real one.
  virtual void SetFreeBytes(std::optional<uint64_t> free_bytes) = 0;
  // Makes the n-th append from now fail after writing half of its bytes. Counts from 1.
  virtual void FailAppend(uint64_t n, DiskError error) = 0;
  // Makes the n-th sync of a file from now fail.
  virtual void FailSync(uint64_t n, DiskError error) = 0;

  // Makes these calls hang from now on. kNone releases those that hang and lets later ones through.
  virtual void Hang(HangingCalls calls) = 0;
  // Returns true once a call hangs, or false if none has for half a minute.
  virtual bool WaitUntilHanging() = 0;

  // Cuts the power at the n-th change from now (append, sync, creation, rename or deletion), or at once for 0. That
  // change and all later ones appear to succeed but do not survive.
  virtual void CutPowerAt(uint64_t n) = 0;
  virtual bool power_is_cut() const = 0;
  // Leaves what a machine would find after the power cut, and restores the power. No shard may be open.
  virtual void DropUnsynced(uint64_t seed, UnsyncedBytes unsynced) = 0;

  // Number of syncs of files and directories so far.
  virtual uint64_t syncs() const = 0;
  // Number of reads of tables so far, including failed ones.
  virtual uint64_t reads() const = 0;
};

}  // namespace lapse::store
