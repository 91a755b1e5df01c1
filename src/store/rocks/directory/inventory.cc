#include "store/rocks/directory/inventory.h"

#include <rocksdb/env.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/crc32.h"
#include "store/rocks/directory/file_names.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

using Sizes = std::map<std::string, uint64_t, std::less<>>;  // by name

constexpr std::string_view kTitle = "lapse inventory 1\n";
constexpr std::string_view kChecksumLabel = "crc32c ";
constexpr size_t kChecksumLineBytes = kChecksumLabel.size() + 8 + 1;

// Enough for some hundred thousand files.
constexpr uint64_t kInventoryBytesMax = 16 << 20;

std::string ChecksumLine(std::string_view text) {
  char digits[9];
  std::snprintf(digits, sizeof(digits), "%08x", Crc32c(text));
  return std::string(kChecksumLabel) + digits + "\n";
}

// Files that hold data. RocksDB recreates all other files if they are missing.
bool IsListed(std::string_view name) {
  return name == kCurrentName || IsManifest(name) || IsLog(name) || IsTable(name);
}

Result<Sizes> ListFiles(rocksdb::Env* env, const std::string& path) {
  std::vector<rocksdb::Env::FileAttributes> files;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(env->GetChildrenFileAttributes(path, &files)));
  Sizes sizes;
  for (const auto& file : files) {
    if (IsListed(file.name)) sizes[file.name] = file.size_bytes;
  }
  return sizes;
}

std::string Render(const Sizes& sizes) {
  std::string text(kTitle);
  for (const auto& [name, size_bytes] : sizes) text.append(std::to_string(size_bytes)).append(" " + name + "\n");
  return text + ChecksumLine(text);
}

// Returns false if Render did not make the text.
bool Parse(std::string_view text, Sizes* sizes) {
  if (text.size() < kTitle.size() + kChecksumLineBytes || !text.starts_with(kTitle)) return false;
  std::string_view rest = text.substr(0, text.size() - kChecksumLineBytes);
  if (text.substr(rest.size()) != ChecksumLine(rest)) return false;
  rest.remove_prefix(kTitle.size());
  while (!rest.empty()) {
    uint64_t size_bytes = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size_bytes);
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    const size_t line_end = rest.find('\n');
    if (error != std::errc() || line_end == std::string_view::npos || !rest.starts_with(' ')) return false;
    sizes->emplace(rest.substr(1, line_end - 1), size_bytes);
    rest.remove_prefix(line_end + 1);
  }
  return true;
}

Status Damaged(const std::string& path, const std::string& what) {
  return {Code::kCorruption, path + " is not as it was left by a clean end: " + what};
}

Status Compare(const std::string& path, const Sizes& left, const Sizes& found) {
  for (const auto& [name, size_bytes] : left) {
    const auto file = found.find(name);
    if (file == found.end()) return Damaged(path, name + " is missing");
    if (file->second != size_bytes) {
      return Damaged(path,
                     name + " has " + std::to_string(file->second) + " bytes and had " + std::to_string(size_bytes));
    }
  }
  for (const auto& [name, size_bytes] : found) {
    if (!left.contains(name)) return Damaged(path, name + " was not there");
  }
  return Status::Ok();
}

Status SyncDirectory(rocksdb::Env* env, const std::string& path) {
  std::unique_ptr<rocksdb::Directory> directory;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(env->NewDirectory(path, &directory)));
  return FromRocksRead(directory->Fsync());
}

Status Replace(rocksdb::Env* env, const std::string& file, const std::string& text) {
  const std::string temporary = file + ".tmp";
  rocksdb::Status status = rocksdb::WriteStringToFile(env, text, temporary, true);
  if (status.ok()) status = env->RenameFile(temporary, file);
  if (!status.ok()) env->DeleteFile(temporary).PermitUncheckedError();
  return FromRocksRead(status);
}

}  // namespace

Status WriteInventory(rocksdb::Env* env, const std::string& path) {
  LAPSE_ASSIGN_OR_RETURN(const Sizes sizes, ListFiles(env, path));
  LAPSE_RETURN_IF_ERROR(Replace(env, path + "/" + kInventoryName, Render(sizes)));
  return SyncDirectory(env, path);
}

Result<bool> CheckInventory(rocksdb::Env* env, const std::string& path) {
  const std::string file = path + "/" + kInventoryName;
  const rocksdb::Status exists = env->FileExists(file);
  if (exists.IsNotFound()) return false;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(exists));

  uint64_t size_bytes = 0;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(env->GetFileSize(file, &size_bytes)));
  std::string text;
  if (size_bytes <= kInventoryBytesMax) {
    LAPSE_RETURN_IF_ERROR(FromRocksRead(rocksdb::ReadFileToString(env, file, &text)));
  }
  Sizes left;
  if (!Parse(text, &left)) return Damaged(path, std::string(kInventoryName) + " is damaged");
  LAPSE_ASSIGN_OR_RETURN(const Sizes found, ListFiles(env, path));
  LAPSE_RETURN_IF_ERROR(Compare(path, left, found));
  return true;
}

Status RemoveInventory(rocksdb::Env* env, const std::string& path) {
  const rocksdb::Status status = env->DeleteFile(path + "/" + kInventoryName);
  if (status.IsNotFound() || status.IsPathNotFound()) return Status::Ok();
  LAPSE_RETURN_IF_ERROR(FromRocksRead(status));
  return SyncDirectory(env, path);
}

}  // namespace lapse::store
