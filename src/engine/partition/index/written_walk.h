// Walks the items of a partition by the second of their last write, as if an index had entries for it.
//
// No such entries exist, since every rewrite would have to change one. Bodies make up for them: they are stored in
// commit order, and `_ts` rises with the sequence in each class of bodies. So a binary search finds the first body of a
// second, and the others follow it. This does not hold after a clock reset (IndexPage::knows_write_order).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/partition/index/entry_walk.h"
#include "engine/partition/index/index_walk.h"
#include "engine/partition/view/read_moment.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/path_number.h"
#include "engine/records/items/item_keys.h"
#include "store/shard.h"

namespace lapse::engine {

// Stands for the second of the last write in a range. No path of a document has this number, because it is not a hash.
constexpr PathNumber kWrittenPath{'\1'};

// The input of a walk: one partition as it is read.
struct WrittenBodies {
  store::Shard* shard = nullptr;
  const store::Snapshot* snapshot = nullptr;
  const ReadMoment* moment = nullptr;  // items that are dead at this moment have no entry
  PartitionId partition;
  // Numbers of one second held at once. A second with more of them is walked several times.
  size_t held_max = 1 << 16;
};

// Items of one second come in the order of their numbers, unless the range allows any order. In that case a dead body
// is a step without an item. The targets of the pointers in `bodies` must outlive the walk.
class WrittenWalk final : public EntryWalk {
 public:
  WrittenWalk(const WrittenBodies& bodies, const IndexRange& range);

  bool Valid() const override { return next_ < numbers_.size(); }
  void Next() override;
  ItemNumber item() const override { return numbers_[next_]; }
  std::string_view value() const override { return value_; }
  const Status& status() const override { return status_; }

 private:
  // The walk's position in the bodies of one class.
  struct Part {
    std::unique_ptr<store::Iterator> bodies;
    int64_t second = 0;
    ItemNumber item = 0;
    bool lives = false;
    std::string second_begins;  // key of the first body seen of the second; empty: none
  };

  Result<Part> Open(BodyClass body_class, int64_t first_s, int64_t last_s);
  Result<Sequence> FirstFrom(BodyClass body_class, int64_t second) const;
  Status Read(Part* part) const;
  Status Step(Part* part);
  Part* FirstPart();
  void Load();
  Status LoadStep();
  Status LoadSecond();
  bool InRange(ItemNumber item);
  bool backward() const { return range_.direction == IndexRange::Direction::kBackward; }

  const WrittenBodies bodies_;
  const IndexRange range_;
  std::vector<Part> parts_;
  std::vector<ItemNumber> numbers_;  // of the current second, in walk order
  size_t next_ = 0;
  int64_t second_ = 0;
  bool second_has_more_ = false;  // than numbers_ holds
  ItemNumber passed_ = 0;         // the last number of the previous portion
  std::string value_;
  std::string entry_;  // value and item, for comparing
  Status status_;
};

}  // namespace lapse::engine
