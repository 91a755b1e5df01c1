#include "base/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace lapse {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

// Call immediately after the failed call, while errno is intact.
Status SystemError(std::string_view what, const std::string& path) {
  const int error = errno;
  const Code code = error == ENOSPC ? Code::kNoSpace : error == ENOENT ? Code::kNotFound : Code::kUnavailable;
  return {code, "cannot " + std::string(what) + " " + path + ": " + std::generic_category().message(error)};
}

std::string SizeText(size_t bytes) {
  constexpr size_t kKilobyte = 1024;
  if (bytes % (kKilobyte * kKilobyte) == 0) return std::to_string(bytes / kKilobyte / kKilobyte) + " MB";
  if (bytes % kKilobyte == 0) return std::to_string(bytes / kKilobyte) + " KB";
  return std::to_string(bytes) + " bytes";
}

Status WriteAll(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError("write", path);
    content.remove_prefix(static_cast<size_t>(written));
  }
  return Status::Ok();
}

}  // namespace

Status WriteDurably(const std::string& directory, const std::string& name, std::string_view content) {
  const std::string path = directory + "/" + name, temporary = path + ".tmp";
  Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.get() < 0) return SystemError("create", temporary);
  LAPSE_RETURN_IF_ERROR(WriteAll(file.get(), content, temporary));
  if (fsync(file.get()) != 0) return SystemError("sync", temporary);
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return SystemError("rename", temporary);
  return SyncDirectory(directory);
}

Result<std::string> ReadSmallFile(const std::string& path, size_t bytes_max, std::string_view what) {
  const std::string name = what.empty() ? path : std::string(what) + " " + path;
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError("read", name);
  std::string content(bytes_max + 1, '\0');
  size_t size = 0;
  while (size < content.size()) {
    const ssize_t got = read(file.get(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError("read", name);
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  if (size > bytes_max) return Status(Code::kTooLarge, name + " is larger than " + SizeText(bytes_max));
  content.resize(size);
  return content;
}

Status SyncDirectory(const std::string& path) {
  Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) return SystemError("open", path);
  if (fsync(directory.get()) != 0) return SystemError("sync", path);
  return Status::Ok();
}

}  // namespace lapse
