// Walks the items of a partition by the second in which they were written last, as if an index had entries for it.
//
// There are no such entries, since every rewrite would have to change one. They are not needed: bodies lie in commit
// order, and `_ts` rises with the sequence in each class of bodies. So the first body of a second is found by halving,
// and the others follow it. This does not hold after a reset of the clock (IndexPage::knows_write_order).
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

// Stands for the second of the last write in a range. No path of a document has this number: it is no hash.
constexpr PathNumber kWrittenPath{'\1'};

// What a walk reads of a partition.
struct WrittenBodies {
  store::Shard* shard = nullptr;
  const store::Snapshot* snapshot = nullptr;
  const ReadMoment* moment = nullptr;  // items that do not live by it have no entry
  PartitionId partition;
  // So many numbers of one second are held at once. A second with more of them is walked over several times.
  size_t held_max = 1 << 16;
};

// Items of one second come in the order of their numbers, unless the range says that any order will do. Then a body
// that is dead is a step without an item. What `bodies` points to must outlive the walk.
class WrittenWalk final : public EntryWalk {
 public:
  WrittenWalk(const WrittenBodies& bodies, const IndexRange& range);

  bool Valid() const override { return next_ < numbers_.size(); }
  void Next() override;
  ItemNumber item() const override { return numbers_[next_]; }
  std::string_view value() const override { return value_; }
  const Status& status() const override { return status_; }

 private:
  // Where the walk stands in the bodies of one class.
  struct Part {
    std::unique_ptr<store::Iterator> bodies;
    int64_t second = 0;
    ItemNumber item = 0;
    bool lives = false;
    std::string second_begins;  // the key of the first body that was seen of the second; empty: it has none
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
  std::vector<ItemNumber> numbers_;  // of the second, in the order of the walk
  size_t next_ = 0;
  int64_t second_ = 0;
  bool second_has_more_ = false;  // than are held
  ItemNumber passed_ = 0;         // the last of those that were held before
  std::string value_;
  std::string entry_;  // value and item, for comparing
  Status status_;
};

}  // namespace lapse::engine
