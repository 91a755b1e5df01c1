#include "store/rocks/faults/disk_model.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "store/rocks/directory/file_names.h"

namespace lapse::store {
namespace {

namespace fs = std::filesystem;

// The unit that a disk writes atomically.
constexpr uint64_t kSectorBytes = 512;

uint64_t UpTo(uint64_t limit, std::mt19937_64* random) {
  return std::uniform_int_distribution<uint64_t>(0, limit)(*random);
}

std::string DirectoryOf(const std::string& path) {
  return fs::path(path).parent_path().string();
}

}  // namespace

void DiskModel::Creating(const std::string& path) {
  std::string aside = PutAside(path);
  pending_.push_back({Change::kCreate, path, {}, std::move(aside), Forget(path)});
  files_[path] = {};
}

void DiskModel::Appended(const std::string& path, uint64_t size_bytes) {
  files_[path].size_bytes += size_bytes;
}

void DiskModel::Truncated(const std::string& path, uint64_t size_bytes) {
  if (auto file = files_.find(path); file != files_.end()) {
    file->second.size_bytes = std::min(file->second.size_bytes, size_bytes);
    file->second.synced_bytes = std::min(file->second.synced_bytes, size_bytes);
  }
}

void DiskModel::Synced(const std::string& path) {
  if (cut_.has_value()) return;
  if (auto file = files_.find(path); file != files_.end()) file->second.synced_bytes = file->second.size_bytes;
}

void DiskModel::Renaming(const std::string& from, const std::string& to) {
  std::string aside = PutAside(to);
  pending_.push_back({Change::kRename, to, from, std::move(aside), Forget(to)});
  Remember(to, Forget(from));
}

void DiskModel::Delete(const std::string& path) {
  std::string aside = PutAside(path);
  pending_.push_back({Change::kDelete, path, {}, std::move(aside), Forget(path)});
}

void DiskModel::DirectorySynced(const std::string& directory) {
  if (cut_.has_value()) return;
  const auto lasting = std::stable_partition(pending_.begin(), pending_.end(), [&](const PendingChange& change) {
    return fs::path(DirectoryOf(change.path)) != fs::path(directory);
  });
  for (auto change = lasting; change != pending_.end(); ++change) {
    if (!change->aside.empty()) fs::remove(change->aside);
  }
  pending_.erase(lasting, pending_.end());
}

void DiskModel::CutPower() {
  if (!cut_.has_value()) cut_ = Cut{files_, pending_.size()};
}

void DiskModel::Restart(uint64_t seed, UnsyncedBytes unsynced) {
  CutPower();
  UndoFrom(cut_->pending_changes);
  files_ = std::move(cut_->files);
  cut_.reset();

  std::mt19937_64 random(seed);
  UndoFrom(UpTo(pending_.size(), &random));
  for (const PendingChange& change : pending_) {
    if (!change.aside.empty()) fs::remove(change.aside);
  }
  pending_.clear();
  for (const auto& [path, file] : files_) LoseUnsyncedBytes(path, file, unsynced, &random);
  files_.clear();
}

void DiskModel::UndoFrom(size_t first) {
  for (; pending_.size() > first; pending_.pop_back()) Undo(pending_.back());
}

std::string DiskModel::PutAside(const std::string& path) {
  if (!fs::exists(path)) return {};
  const std::string directory = DirectoryOf(path) + ".deleted";
  fs::create_directories(directory);
  std::string aside = directory + "/" + std::to_string(++aside_count_);
  fs::rename(path, aside);
  return aside;
}

std::optional<DiskModel::File> DiskModel::Forget(const std::string& path) {
  auto node = files_.extract(path);
  if (node.empty()) return std::nullopt;
  return node.mapped();
}

void DiskModel::Remember(const std::string& path, std::optional<File> file) {
  if (file.has_value()) files_[path] = *file;
}

void DiskModel::Undo(const PendingChange& change) {
  std::optional<File> file = Forget(change.path);
  if (change.change == Change::kRename && fs::exists(change.path)) {
    fs::rename(change.path, change.from);
    Remember(change.from, file);
  } else if (change.change == Change::kCreate) {
    fs::remove(change.path);
  }
  if (!change.aside.empty()) {
    fs::rename(change.aside, change.path);
    Remember(change.path, change.aside_file);
  }
}

void DiskModel::LoseUnsyncedBytes(const std::string& path, const File& file, UnsyncedBytes unsynced,
                                  std::mt19937_64* random) {
  if (!fs::exists(path)) return;
  uint64_t kept_bytes = file.synced_bytes;
  if (unsynced != UnsyncedBytes::kLost) kept_bytes += UpTo(file.size_bytes - file.synced_bytes, random);
  fs::resize_file(path, kept_bytes);
  if (unsynced != UnsyncedBytes::kGarbled || kept_bytes == file.synced_bytes) return;
  // RocksDB refuses to open then, as with other damage (docs/compatibility.md).
  if (IsManifest(fs::path(path).filename().string())) return;

  // A sector need not start where the last sync ended. Only bytes after that may change.
  const uint64_t hit = file.synced_bytes + UpTo(kept_bytes - file.synced_bytes - 1, random);
  const uint64_t begin = std::max(hit / kSectorBytes * kSectorBytes, file.synced_bytes);
  const uint64_t end = std::min((hit / kSectorBytes + 1) * kSectorBytes, kept_bytes);
  std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(begin));
  stream << std::string(end - begin, '\0');
}

}  // namespace lapse::store
