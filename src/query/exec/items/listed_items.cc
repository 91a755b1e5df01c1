#include "query/exec/items/listed_items.h"

#include "doc/value.h"
#include "query/values/hash.h"

namespace lapse::query::exec {

Value ListedItems::View::Property(std::string_view name, Arena*) const {
  return Value::FromBson(doc::Find(document_, name));
}

Value ListedItems::View::Whole(Arena*) const {
  return Value::Object(document_);
}

Result<std::string> ListedItems::Scan(std::string after, bool, const TakeItem& take) {
  constexpr uint64_t kSeed = 0;
  while (true) {
    LAPSE_ASSIGN_OR_RETURN(const std::vector<ListedItem> items, next_(after));
    if (items.empty()) return std::string();
    for (const ListedItem& item : items) {
      view_.Set(item.document);
      if (!take(HashOf(Value::String(item.key), kSeed), item.document)) return after;
      after = item.key;
    }
  }
}

}  // namespace lapse::query::exec
