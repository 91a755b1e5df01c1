// Models which parts of a directory of files would survive a power cut, for tests.
//
// A file keeps the bytes before its last sync. Creations, renames and deletions stay in order, and are durable once
// their directory has been synced. The real files always show what a running process sees. Restart changes them to a
// state in which a machine could come back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace lapse::store {

// The fate of bytes that were written but not synced.
enum class UnsyncedBytes {
  kLost,     // all are lost
  kPrefix,   // a random number of them survives
  kGarbled,  // as kPrefix, and a random sector of the surviving bytes is zeroed, except in manifests
};

// Threads: one at a time.
// Owns: files put aside, in `<directory>.deleted`, until their deletion is durable.
class DiskModel {
 public:
  // Call before creating the file. Puts aside a file of that name.
  void Creating(const std::string& path);
  void Appended(const std::string& path, uint64_t size_bytes);
  // Durable at once.
  void Truncated(const std::string& path, uint64_t size_bytes);
  void Synced(const std::string& path);
  // Call before the rename. Puts aside a file with the new name.
  void Renaming(const std::string& from, const std::string& to);
  // Removes the file by putting it aside.
  void Delete(const std::string& path);
  void DirectorySynced(const std::string& directory);

  // Cuts the power now. The running process still sees later changes, but they do not survive.
  void CutPower();
  // Leaves the files as after a power cut, chosen by `seed`. The power is cut now if it was not before. No file may be
  // open.
  void Restart(uint64_t seed, UnsyncedBytes unsynced);

 private:
  struct File {
    uint64_t size_bytes = 0;
    uint64_t synced_bytes = 0;
  };
  enum class Change { kCreate, kRename, kDelete };
  using FileMap = std::map<std::string, File>;
  // A directory change that is not durable yet, with all that is needed to undo it.
  struct PendingChange {
    Change change;
    std::string path;
    std::string from;                // kRename: the old name
    std::string aside;               // where the earlier file of this name is; empty: there was none
    std::optional<File> aside_file;  // what was known of that file
  };

  std::string PutAside(const std::string& path);
  std::optional<File> Forget(const std::string& path);
  void Remember(const std::string& path, std::optional<File> file);
  void Undo(const PendingChange& change);
  void UndoFrom(size_t first);
  void LoseUnsyncedBytes(const std::string& path, const File& file, UnsyncedBytes unsynced, std::mt19937_64* random);

  FileMap files_;  // files written since the last restart; all others are durable
  std::vector<PendingChange> pending_;
  // The state when the power was cut; none: it was not.
  struct Cut {
    FileMap files;
    size_t pending_changes;
  };
  std::optional<Cut> cut_;
  uint64_t aside_count_ = 0;
};

}  // namespace lapse::store
