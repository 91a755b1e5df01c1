// What of a directory of files would survive if the power went now, for tests.
//
// A file keeps the bytes before its last sync. Creations, renames and deletions keep their order and last once their
// directory was synced. The real files always show the state that a running process sees; Restart changes them to one
// that a machine could come back with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace lapse::store {

// What becomes of bytes that were written and not synced.
enum class UnsyncedBytes {
  kLost,     // all of them
  kPrefix,   // a random number of them stays
  kGarbled,  // as kPrefix, and a random sector of what stays is zeros, but in manifests
};

// Threads: one at a time. Owns: files put aside, in `<directory>.deleted`, until their deletion lasts.
class DiskModel {
 public:
  // Before the file is made. A file of that name is put aside.
  void Creating(const std::string& path);
  void Appended(const std::string& path, uint64_t size_bytes);
  // Lasts at once.
  void Truncated(const std::string& path, uint64_t size_bytes);
  void Synced(const std::string& path);
  // Before the rename. A file with the new name is put aside.
  void Renaming(const std::string& from, const std::string& to);
  // Puts the file aside: it is gone when this returns.
  void Delete(const std::string& path);
  void DirectorySynced(const std::string& directory);

  // The power goes now. What is done from here on is seen by the running process and never lasts.
  void CutPower();
  // Leaves the files as after a power cut (now, if it was not cut before), chosen by `seed`. Nothing may be open.
  void Restart(uint64_t seed, UnsyncedBytes unsynced);

 private:
  struct File {
    uint64_t size_bytes = 0;
    uint64_t synced_bytes = 0;
  };
  enum class Change { kCreate, kRename, kDelete };
  using FileMap = std::map<std::string, File>;
  // A change of a directory that is not on disk yet, with all it takes to undo it.
  struct PendingChange {
    Change change;
    std::string path;
    std::string from;                // kRename: the old name
    std::string aside;               // where the file that had this name is; empty: there was none
    std::optional<File> aside_file;  // and what was known of it
  };

  std::string PutAside(const std::string& path);
  std::optional<File> Forget(const std::string& path);
  void Remember(const std::string& path, std::optional<File> file);
  void Undo(const PendingChange& change);
  void UndoFrom(size_t first);
  void LoseUnsyncedBytes(const std::string& path, const File& file, UnsyncedBytes unsynced, std::mt19937_64* random);

  FileMap files_;  // those written since the last restart; all others are safe
  std::vector<PendingChange> pending_;
  // How things were when the power was cut; none: it was not.
  struct Cut {
    FileMap files;
    size_t pending_changes;
  };
  std::optional<Cut> cut_;
  uint64_t aside_count_ = 0;
};

}  // namespace lapse::store
