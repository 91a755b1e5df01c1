// A list of documents outside a container that a query can scan: databases, containers, users and the like.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/exec/items/item_source.h"

namespace lapse::query::exec {

struct ListedItem {
  std::string key;       // unique; the list is in the order of its keys
  std::string document;  // BSON
};

// Threads: one.
class ListedItems : public ItemSource {
 public:
  // Returns the next portion of the list: the first items after the key, or none at its end.
  using NextItems = std::function<Result<std::vector<ListedItem>>(std::string_view after)>;

  explicit ListedItems(NextItems next) : next_(std::move(next)) {}

  // A position is the key of the last item that was passed. An item's number is a hash of its key, so it is the same on
  // every page.
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
