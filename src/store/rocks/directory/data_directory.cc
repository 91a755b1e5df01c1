#include "store/rocks/directory/data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "base/small_file.h"

namespace lapse::store {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kFormatVersion = 6;
constexpr char kStampName[] = "LAPSE";
constexpr char kClockName[] = "CLOCK";
constexpr size_t kStampBytesMax = 4096;
constexpr mode_t kOwnerOnly = 0700;
constexpr mode_t kOthers = 0077;  // group and others

// The lines of the stamp: title, format version, clock, and, once it is true, that the shard and the clock file were
// made.
constexpr std::string_view kStampTitle = "lapse data directory\n";
constexpr std::string_view kVersionLabel = "format ";
constexpr std::string_view kTestClockLine = "clock test\n";
constexpr std::string_view kRealClockLine = "clock real\n";
constexpr std::string_view kShardMadeLine = "shard made\n";
constexpr std::string_view kClockMadeLine = "clock file made\n";

std::string MakeStamp(bool test_clock, bool all_made) {
  std::string stamp(kStampTitle);
  stamp.append(kVersionLabel).append(std::to_string(kFormatVersion)).append("\n");
  stamp.append(test_clock ? kTestClockLine : kRealClockLine);
  if (all_made) stamp.append(kShardMadeLine).append(kClockMadeLine);
  return stamp;
}

bool TakePrefix(std::string_view* text, std::string_view prefix) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

bool TakeNumber(std::string_view* text, uint32_t* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (error != std::errc()) return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}

// Whether the directory is empty, apart from what a new file system or an interrupted creation leaves.
Result<bool> IsEmpty(const std::string& path) {
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name != "lost+found" && name != std::string(kStampName) + ".tmp") return false;
  }
  if (error) return Status(Code::kUnavailable, "cannot list " + path + ": " + error.message());
  return true;
}

// Creates the directory with access for its owner alone from the start. Parent directories get the system's default
// mode.
Status MakeDirectory(const std::string& path) {
  const auto cannot = [&](const std::error_code& error) {
    return Status(Code::kUnavailable, "cannot make the directory " + path + ": " + error.message());
  };
  fs::path absolute = fs::absolute(path).lexically_normal();
  if (!absolute.has_filename()) absolute = absolute.parent_path();  // the path had a trailing slash
  const fs::path parent = absolute.parent_path();
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) return cannot(error);
  if (mkdir(absolute.c_str(), kOwnerOnly) == 0) return SyncDirectory(parent.string());
  // If something else is there, Lock reports it.
  return errno == EEXIST ? Status::Ok() : cannot(std::error_code(errno, std::generic_category()));
}

// Closes the directory to other users, if an older server or an administrator has left it open to them.
void Tighten(const std::string& path, int fd) {
  struct stat found = {};
  if (fstat(fd, &found) != 0 || (found.st_mode & kOthers) == 0) return;
  if (fchmod(fd, found.st_mode & 07777 & ~kOthers) == 0) {
    Log(LogLevel::kWarn, "data_dir_closed_to_others", {{"data_dir", path}});
  } else {
    Log(LogLevel::kWarn, "data_dir_open_to_others",
        {{"data_dir", path}, {"error", std::generic_category().message(errno)}});
  }
}

// A lock on the directory itself needs no file, so that looking at a foreign directory leaves no trace.
Result<int> Lock(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    const int error = errno;
    const Code code = error == ENOENT    ? Code::kNotFound
                      : error == ENOTDIR ? Code::kInvalidArgument
                                         : Code::kUnavailable;
    return Status(code, "cannot open the data directory " + path + ": " + std::generic_category().message(error));
  }
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    close(fd);
    return Status(Code::kUnavailable, "the data directory " + path + " is in use by another server");
  }
  return fd;
}

Status Stamp(const std::string& path, const DataDirectoryOptions& options) {
  LAPSE_ASSIGN_OR_RETURN(const bool empty, IsEmpty(path));
  if (!empty) {
    return {Code::kInvalidArgument, "the directory " + path + " is not empty and is not a data directory of Lapse"};
  }
  if (!options.create) return {Code::kNotFound, "there is no data in " + path};
  return WriteDurably(path, kStampName, MakeStamp(options.test_clock, false));
}

}  // namespace

Result<std::unique_ptr<DataDirectory>> DataDirectory::Open(const std::string& path,
                                                           const DataDirectoryOptions& options) {
  if (options.create) LAPSE_RETURN_IF_ERROR(MakeDirectory(path));
  LAPSE_ASSIGN_OR_RETURN(const int lock_fd, Lock(path));
  std::unique_ptr<DataDirectory> directory(new DataDirectory(path, lock_fd));

  const std::string stamp_path = path + "/" + kStampName;
  Result<std::string> stamp = ReadSmallFile(stamp_path, kStampBytesMax);
  if (stamp.status().code() == Code::kNotFound) {
    LAPSE_RETURN_IF_ERROR(Stamp(path, options));
    stamp = ReadSmallFile(stamp_path, kStampBytesMax);
  }
  if (stamp.status().code() == Code::kTooLarge) return Status(Code::kCorruption, stamp.status().message());
  if (!stamp.ok()) return stamp.status();
  LAPSE_RETURN_IF_ERROR(directory->ReadStamp(*stamp));
  if (directory->test_clock_ != options.test_clock) {
    return Status(Code::kInvalidArgument,
                  "the data directory " + path +
                      (options.test_clock ? " was made for the real clock, not the test clock"
                                          : " was made for the test clock, not the real clock"));
  }
  Tighten(path, lock_fd);
  return directory;
}

DataDirectory::~DataDirectory() {
  close(lock_fd_);
}

Result<std::unique_ptr<Shard>> DataDirectory::OpenShard(RocksOptions options,
                                                        const std::vector<FamilyOptions>& families) {
  if (clock_made_) LAPSE_RETURN_IF_ERROR(OpenClock());
  options.path = shard_path();
  // If the shard was made and is missing, it is lost. An empty one in its place would hide that.
  options.create_if_missing &= !shard_made_;
  Result<std::unique_ptr<Shard>> shard = OpenRocksShard(options, families);
  if (shard_made_ && shard.status().code() == Code::kNotFound) {
    return Status(Code::kCorruption, "the data directory " + path_ + " has lost its data: " + shard.status().message());
  }
  if (shard.ok() && !clock_made_ && !options.read_only) LAPSE_RETURN_IF_ERROR(MakeClock());
  return shard;
}

// A crash before this completes leaves a shard that the next start finds, and an unused clock file.
Status DataDirectory::MakeClock() {
  LAPSE_RETURN_IF_ERROR(SlotFile::Make(path_, kClockName));
  LAPSE_RETURN_IF_ERROR(WriteDurably(path_, kStampName, MakeStamp(test_clock_, true)));
  shard_made_ = clock_made_ = true;
  return OpenClock();
}

Status DataDirectory::OpenClock() {
  clock_slot_ = nullptr;
  LAPSE_ASSIGN_OR_RETURN(clock_slot_, SlotFile::Open(path_, kClockName));
  return Status::Ok();
}

Status DataDirectory::CheckClock() const {
  return clock_made_ ? SlotFile::Open(path_, kClockName).status() : Status::Ok();
}

Status DataDirectory::RemakeClock() {
  LAPSE_RETURN_IF_ERROR(SlotFile::Make(path_, kClockName));
  return OpenClock();
}

Status DataDirectory::ReadStamp(const std::string& text) {
  std::string_view rest = text;
  if (!TakePrefix(&rest, kStampTitle) || !TakePrefix(&rest, kVersionLabel) || !TakeNumber(&rest, &format_version_) ||
      !TakePrefix(&rest, "\n")) {
    return {Code::kCorruption, "the file " + path_ + "/" + kStampName + " is damaged"};
  }
  // The version defines the lines that follow.
  if (format_version_ != kFormatVersion) {
    return {Code::kUnsupported, "the data directory " + path_ + " has format " + std::to_string(format_version_) +
                                    "; this server knows format " + std::to_string(kFormatVersion)};
  }
  test_clock_ = TakePrefix(&rest, kTestClockLine);
  const bool has_clock = test_clock_ || TakePrefix(&rest, kRealClockLine);
  shard_made_ = TakePrefix(&rest, kShardMadeLine);
  clock_made_ = shard_made_ && TakePrefix(&rest, kClockMadeLine);
  if (has_clock && rest.empty()) return Status::Ok();
  return {Code::kCorruption, "the file " + path_ + "/" + kStampName + " is damaged"};
}

}  // namespace lapse::store
