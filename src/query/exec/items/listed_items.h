// A list of documents that is no container, as a query walks over it: databases, containers, users and the like.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/exec/items/item_source.h"

namespace lapse::query::exec {

struct ListedItem {
  std::string key;       // the list is in the order of its keys, which differ
  std::string document;  // BSON
};

// Threads: one.
class ListedItems : public ItemSource {
 public:
  // The next portion of the list: items behind the key, the first ones; empty: there are none.
  using NextItems = std::function<Result<std::vector<ListedItem>>(std::string_view after)>;

  explicit ListedItems(NextItems next) : next_(std::move(next)) {}

  // A position is the key of the last item that was passed. The number of an item is a hash of its key, so that it is
  // the same on every page.
  Result<std::string> Scan(std::string after, bool until_end, const TakeItem& take) override;
  const ItemView* item() const override { return &view_; }

 private:
  class View : public ItemView {
   public:
    void Set(std::string_view document) { document_ = document; }
    Value Property(std::string_view name, Arena* arena) const override;
    Value Whole(Arena* arena) const override;

   private:
    std::string_view document_;
  };

  const NextItems next_;
  View view_;
};

}  // namespace lapse::query::exec
