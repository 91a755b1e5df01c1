#include "store/rocks/check/log_check.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"
#include "store/rocks/check/log_file.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

struct LogSummary {
  std::string name;
  uint64_t size_bytes = 0;
  uint64_t whole_bytes = 0;                // end of the last record before any damage
  std::optional<uint64_t> first_sequence;  // of the first record; none if there is none or it is unknown
  std::optional<uint64_t> next_sequence;   // of the record after whole_bytes
  std::optional<uint64_t> after_bytes;     // where the first record after the requested sequence begins
  bool records_after_damage = false;

  bool torn() const { return whole_bytes < size_bytes; }
};

// Scans one log, block by block.
class LogScan {
 public:
  // Also looks for the first record after the sequence number `after`.
  explicit LogScan(std::string name, uint64_t after = std::numeric_limits<uint64_t>::max()) : after_(after) {
    summary_.name = std::move(name);
  }

  // Takes the next block. The last one may be short.
  void Take(std::string_view block) {
    size_t at = 0;
    while (!damaged_ && !IsLogPadding(block.substr(at))) {
      const std::optional<LogFragment> fragment = ParseLogFragment(block.substr(at));
      damaged_ = !fragment.has_value();
      if (damaged_) break;
      at += fragment->size_bytes();
      Note(*fragment, summary_.size_bytes + at);
    }
    if (damaged_ && !summary_.records_after_damage) LookForRecords(block.substr(at));
    // Padding belongs to the record before it.
    if (!damaged_ && summary_.whole_bytes == summary_.size_bytes + at) summary_.whole_bytes += block.size() - at;
    summary_.size_bytes += block.size();
  }

  const LogSummary& summary() const { return summary_; }

 private:
  // A record counts once all of it is there.
  void Note(const LogFragment& fragment, uint64_t end_offset) {
    if (fragment.starts_record()) {
      batch_ = ParseLogBatch(fragment.payload);
      // If a record's first fragment lacks its sequence number, the record before it provides it.
      const uint64_t sequence = batch_.has_value() ? batch_->sequence : summary_.next_sequence.value_or(0);
      if (sequence > after_ && !summary_.after_bytes) summary_.after_bytes = end_offset - fragment.size_bytes();
      if (batch_.has_value() && !summary_.first_sequence.has_value()) summary_.first_sequence = batch_->sequence;
    }
    const bool ends_record = fragment.type == LogFragment::kFull || fragment.type == LogFragment::kLast;
    if (!ends_record) return;
    summary_.whole_bytes = end_offset;
    summary_.next_sequence.reset();
    if (batch_.has_value()) summary_.next_sequence = batch_->sequence + batch_->operations;
  }

  // The length of a bad fragment may be bad too, so every offset is tried.
  void LookForRecords(std::string_view rest) {
    for (; !IsLogPadding(rest) && !summary_.records_after_damage; rest.remove_prefix(1)) {
      const std::optional<LogFragment> fragment = ParseLogFragment(rest);
      // A later fragment of the record that was cut short proves nothing.
      summary_.records_after_damage = fragment.has_value() && fragment->starts_record();
    }
  }

  const uint64_t after_;
  LogSummary summary_;
  bool damaged_ = false;
  std::optional<LogBatch> batch_;  // of the last record begun
};

Result<LogSummary> Scan(rocksdb::Env* env, const std::string& path, const std::string& name,
                        uint64_t after = std::numeric_limits<uint64_t>::max()) {
  std::unique_ptr<rocksdb::SequentialFile> file;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(env->NewSequentialFile(path + "/" + name, &file, rocksdb::EnvOptions())));
  LogScan scan(name, after);
  std::string buffer(kLogBlockBytes, '\0');
  rocksdb::Slice block;
  do {
    LAPSE_RETURN_IF_ERROR(FromRocksRead(file->Read(kLogBlockBytes, &block, buffer.data())));
    scan.Take({block.data(), block.size()});
  } while (block.size() == kLogBlockBytes);
  return scan.summary();
}

// Returns the names of the logs, `<number>.log`, oldest first.
Result<std::vector<std::string>> LogNames(rocksdb::Env* env, const std::string& path) {
  std::vector<std::string> children;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(env->GetChildren(path, &children)));
  std::vector<std::pair<uint64_t, std::string>> logs;
  for (const std::string& name : children) {
    uint64_t number = 0;
    const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && std::string_view(rest) == ".log") logs.emplace_back(number, name);
  }
  std::sort(logs.begin(), logs.end());
  std::vector<std::string> names;
  for (auto& [number, name] : logs) names.push_back(std::move(name));
  return names;
}

Status Damaged(const LogSummary& log) {
  return {Code::kCorruption, "the write-ahead log " + log.name + " is damaged after byte " +
                                 std::to_string(log.whole_bytes) + ", before writes that were acknowledged"};
}

// Whether the torn end of `log` was acknowledged, according to the first record in `later`. An incomplete write does
// not count, so the next log continues with its sequence number.
bool LostWrites(const LogSummary& log, const LogSummary& later) {
  const bool known = log.next_sequence.has_value() && later.first_sequence.has_value();
  return log.torn() && known && *log.next_sequence != *later.first_sequence;
}

Status Trim(rocksdb::Env* env, const std::string& path, uint64_t size_bytes) {
  std::unique_ptr<rocksdb::WritableFile> file;
  LAPSE_RETURN_IF_ERROR(FromRocksRead(env->ReopenWritableFile(path, &file, rocksdb::EnvOptions())));
  LAPSE_RETURN_IF_ERROR(FromRocksRead(file->Truncate(size_bytes)));
  LAPSE_RETURN_IF_ERROR(FromRocksRead(file->Sync()));
  return FromRocksRead(file->Close());
}

Status CheckOrder(const std::vector<LogSummary>& logs) {
  const LogSummary* before = nullptr;  // the last log that is not empty
  for (const LogSummary& log : logs) {
    if (log.records_after_damage) return Damaged(log);
    if (before != nullptr && LostWrites(*before, log)) return Damaged(*before);
    if (log.size_bytes > 0) before = &log;
  }
  return Status::Ok();
}

}  // namespace

Result<bool> HasLog(rocksdb::Env* env, const std::string& path) {
  LAPSE_ASSIGN_OR_RETURN(const std::vector<std::string> names, LogNames(env, path));
  return !names.empty();
}

Result<std::vector<TornLog>> CheckLogs(rocksdb::Env* env, const std::string& path) {
  LAPSE_ASSIGN_OR_RETURN(const std::vector<std::string> names, LogNames(env, path));
  std::vector<LogSummary> logs;
  for (const std::string& name : names) {
    LAPSE_ASSIGN_OR_RETURN(LogSummary log, Scan(env, path, name));
    logs.push_back(std::move(log));
  }
  LAPSE_RETURN_IF_ERROR(CheckOrder(logs));
  std::vector<TornLog> torn;
  for (const LogSummary& log : logs) {
    if (log.torn()) torn.push_back({log.name, log.size_bytes, log.whole_bytes});
  }
  return torn;
}

Status TrimLogs(rocksdb::Env* env, const std::string& path, const std::vector<TornLog>& torn) {
  for (const TornLog& log : torn) {
    LAPSE_RETURN_IF_ERROR(Trim(env, path + "/" + log.name, log.whole_bytes));
    Log(LogLevel::kInfo, "log_trimmed", {{"log", log.name}, {"bytes", log.size_bytes - log.whole_bytes}});
  }
  return Status::Ok();
}

Status CutLogsAfter(rocksdb::Env* env, const std::string& path, uint64_t sequence) {
  LAPSE_ASSIGN_OR_RETURN(const std::vector<std::string> names, LogNames(env, path));
  for (const std::string& name : names) {
    LAPSE_ASSIGN_OR_RETURN(const LogSummary log, Scan(env, path, name, sequence));
    // An incomplete record has no effect anyway.
    if (log.after_bytes.has_value())
      LAPSE_RETURN_IF_ERROR(Trim(env, std::string(path).append("/").append(name), *log.after_bytes));
  }
  return Status::Ok();
}

}  // namespace lapse::store
