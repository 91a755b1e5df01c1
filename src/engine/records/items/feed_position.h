// Where a page of an item feed resumes.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

// A position behind the last item of a page, or right before an item that the reader did not take. In that case the
// number is one less than the item's, and may belong to no item. Integers are big-endian.
//
//   records: 01, item number (8)
//   members: 02, item number (8), effective key (a length in 4 bytes, and the bytes), the rest: the values of the key
struct FeedPosition {
  enum class Order : uint8_t { kRecords = 1, kMembers = 2 };
  Order order = Order::kRecords;
  ItemNumber item = 0;
  LogicalKey key;  // kMembers

  std::string Encode() const;
  // Fails: kInvalidArgument.
  static Result<FeedPosition> Decode(std::string_view bytes);
};

}  // namespace lapse::engine
