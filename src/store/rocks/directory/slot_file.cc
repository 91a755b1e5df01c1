#include "store/rocks/directory/slot_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "base/bytes.h"
#include "base/crc32.h"
#include "base/log.h"
#include "base/small_file.h"

namespace lapse::store {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kRecords = 2;
constexpr size_t kBlockBytes = 4096;  // a disk block, one for each record
constexpr size_t kRecordBytes = 512;
constexpr size_t kFileBytes = kRecords * kBlockBytes;
constexpr size_t kCrcOffset = kRecordBytes - sizeof(uint32_t);

struct Record {
  uint64_t sequence;
  std::string value;
};

// Layout: version, sequence, length, value, zeros, and a final checksum over all of that.
std::string Encode(uint64_t sequence, std::string_view value) {
  std::string bytes;
  bytes.push_back(static_cast<char>(kVersion));
  PutLittleEndian(&bytes, sequence);
  PutLittleEndian(&bytes, static_cast<uint16_t>(value.size()));
  bytes.append(value);
  bytes.resize(kCrcOffset);
  PutLittleEndian(&bytes, Crc32c(bytes));
  return bytes;
}

std::optional<Record> Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  const uint8_t version = reader.Byte();
  const uint64_t sequence = reader.LittleEndian<uint64_t>();
  const size_t length = reader.LittleEndian<uint16_t>();
  ByteReader crc(bytes.substr(kCrcOffset));
  const bool whole = crc.LittleEndian<uint32_t>() == Crc32c(bytes.substr(0, kCrcOffset));
  if (!whole || version != kVersion || length > SlotFile::kValueBytesMax) return std::nullopt;
  return Record{sequence, std::string(reader.rest().substr(0, length))};
}

Status Failed(std::string_view what, const std::string& path) {
  const int error = errno;
  return {Code::kUnavailable,
          "cannot " + std::string(what) + " " + path + ": " + std::generic_category().message(error)};
}

}  // namespace

Status SlotFile::Make(const std::string& directory, const std::string& name) {
  // Writes every byte, so that the disk allocates the space before it can run out.
  std::string content = Encode(1, {});
  content.resize(kBlockBytes);
  content += content;
  return WriteDurably(directory, name, content);
}

Result<std::unique_ptr<SlotFile>> SlotFile::Open(const std::string& directory, const std::string& name) {
  const std::string path = directory + "/" + name;
  const Status damaged(Code::kCorruption, "the file " + path + " is damaged");
  Result<std::string> content = ReadSmallFile(path, kFileBytes);
  if (content.status().code() == Code::kNotFound) return Status(Code::kCorruption, "the file " + path + " is missing");
  if (content.status().code() == Code::kTooLarge || (content.ok() && content->size() != kFileBytes)) return damaged;
  if (!content.ok()) return content.status();

  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return Failed("open", path);
  std::unique_ptr<SlotFile> file(new SlotFile(path, fd));
  for (size_t index = 0; index < kRecords; ++index) {
    std::optional<Record> record = Decode(std::string_view(*content).substr(index * kBlockBytes, kRecordBytes));
    if (!record || record->sequence <= file->sequence_) continue;
    file->sequence_ = record->sequence;
    file->value_ = std::move(record->value);
    file->current_ = index;
  }
  if (file->sequence_ == 0) return damaged;
  return file;
}

SlotFile::~SlotFile() {
  if (dirty_) {
    const Status copied = WriteRecord(1 - current_, value_);
    if (!copied.ok()) Log(LogLevel::kWarn, "slot_kept_once", {{"reason", copied.ToString()}});
  }
  close(fd_);
}

Status SlotFile::Write(std::string_view value) {
  if (value.size() > kValueBytesMax) return {Code::kInvalidArgument, "too large a value for " + path_};
  dirty_ = true;
  // After a failure, retries the same record: the other holds the value known to be durable.
  LAPSE_RETURN_IF_ERROR(WriteRecord(1 - current_, value));
  value_ = value;
  current_ = 1 - current_;
  return Status::Ok();
}

Status SlotFile::WriteRecord(size_t index, std::string_view value) {
  const std::string record = Encode(++sequence_, value);
  const auto offset = static_cast<off_t>(index * kBlockBytes);
  ssize_t written = 0;
  do {
    written = pwrite(fd_, record.data(), record.size(), offset);
  } while (written < 0 && errno == EINTR);
  if (written < 0) return Failed("write", path_);
  if (static_cast<size_t>(written) != record.size()) return {Code::kUnavailable, "cannot write all of " + path_};
  // The file's size and blocks do not change, so syncing its data is enough.
  if (fdatasync(fd_) != 0) return Failed("sync", path_);
  return Status::Ok();
}

}  // namespace lapse::store
