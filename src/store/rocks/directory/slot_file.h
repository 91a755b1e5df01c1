// A slot in a file of its own, which has its full size from the start and is overwritten in place.
//
// The value is kept twice, in two records that are written in turn: while one is written the other stands. Each has a
// block of the disk to itself, so that a write that is cut short by a crash harms one at most. Of two whole records the
// one with the higher sequence number counts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "store/slot.h"

namespace lapse::store {

// Owns: the open file. After a clean end both records hold the value, so that damage to one loses nothing.
class SlotFile : public Slot {
 public:
  static constexpr size_t kValueBytesMax = 256;

  // Makes the file, without a value, in the place of any that was there. On success it is on stable storage.
  static Status Make(const std::string& directory, const std::string& name);

  // Changes nothing. Fails: kCorruption when the file is missing, is not of its size, or holds no whole record.
  static Result<std::unique_ptr<SlotFile>> Open(const std::string& directory, const std::string& name);

  ~SlotFile() override;
  SlotFile(const SlotFile&) = delete;
  SlotFile& operator=(const SlotFile&) = delete;

  const std::string& value() const override { return value_; }
  Status Write(std::string_view value) override;

 private:
  SlotFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  Status WriteRecord(size_t index, std::string_view value);

  const std::string path_;
  const int fd_;
  std::string value_;
  uint64_t sequence_ = 0;  // the highest that may be in the file
  size_t current_ = 0;     // the record that holds value_, which must stand until the other is durable
  bool dirty_ = false;     // the other record was written to, or is older, since the file was opened
};

}  // namespace lapse::store
