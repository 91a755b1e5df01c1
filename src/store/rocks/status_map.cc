#include "store/rocks/status_map.h"

#include <rocksdb/status.h>

namespace lapse::store {
namespace {

Code ReadCode(const rocksdb::Status& status) {
  switch (status.code()) {
    case rocksdb::Status::kOk: return Code::kOk;
    case rocksdb::Status::kNotFound: return Code::kNotFound;
    case rocksdb::Status::kCorruption: return Code::kCorruption;
    case rocksdb::Status::kInvalidArgument: return Code::kInvalidArgument;
    case rocksdb::Status::kNotSupported: return Code::kUnsupported;
    case rocksdb::Status::kIOError: return status.IsNoSpace() ? Code::kNoSpace : Code::kUnavailable;
    default: return Code::kUnavailable;
  }
}

Code WriteCode(const rocksdb::Status& status) {
  // RocksDB attaches a severity to the error that stopped it. A write that returns such an error was not begun.
  const bool failed_itself = status.IsIOError() && status.severity() == rocksdb::Status::kNoError;
  return failed_itself ? Code::kUnknownOutcome : ReadCode(status);
}

}  // namespace

Status FromRocksRead(const rocksdb::Status& status) {
  return status.ok() ? Status::Ok() : Status(ReadCode(status), status.ToString());
}

Status FromRocksOpen(const rocksdb::Status& status) {
  return status.IsPathNotFound() ? Status(Code::kCorruption, status.ToString()) : FromRocksRead(status);
}

Status FromRocksWrite(const rocksdb::Status& status) {
  return status.ok() ? Status::Ok() : Status(WriteCode(status), status.ToString());
}

}  // namespace lapse::store
