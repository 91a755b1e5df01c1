// Reads all records whose keys share a prefix.
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/status.h"
#include "store/shard.h"

namespace lapse::store {

// Calls `take(rest of the key, value)` for each record with this prefix in key order, until a call fails. The views are
// valid during the call.
// Fails: with the error of `take` or of the store.
template <typename Take>
Status ScanPrefix(Shard* shard, FamilyId family, const std::string& prefix, const Take& take) {
  IterateOptions options;
  options.lower = prefix;
  options.upper = PrefixEnd(prefix);
  const std::unique_ptr<Iterator> records = shard->NewIterator(family, options);
  for (records->SeekToFirst(); records->Valid(); records->Next()) {
    LAPSE_RETURN_IF_ERROR(take(records->key().substr(prefix.size()), records->value()));
  }
  return records->status();
}

}  // namespace lapse::store
