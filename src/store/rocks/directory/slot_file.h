// A slot in a file of its own, which has its full size from the start and is overwritten in place.
//
// The value is kept in two records, which are written alternately, so that one is intact while the other is written.
// Each fills its own disk block, so that a write torn by a crash damages only one. Of two intact records the one with
// the higher sequence number is valid.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "store/slot.h"

namespace lapse::store {

// Owns: the open file. After a clean shutdown both records hold the value, so that damage to one loses nothing.
class SlotFile : public Slot {
 public:
  static constexpr size_t kValueBytesMax = 256;

  // Creates the file without a value, replacing any earlier one. On success it is on stable storage.
  static Status Make(const std::string& directory, const std::string& name);

  // Opens the file without changing it. Fails: kCorruption when the file is missing, has the wrong size, or holds no
  // intact record.
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
  uint64_t sequence_ = 0;  // highest sequence number that may be in the file
  size_t current_ = 0;     // index of the record with value_, which must stay until the other is durable
  bool dirty_ = false;     // since opening, the other record was written or was found to be older
};

}  // namespace lapse::store
