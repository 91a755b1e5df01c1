// The documents of the simulation, and patches to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/items/item_patch.h"

namespace lapse::simulation {

struct Document {
  int64_t number = 0;  // unique among all documents
  int64_t counter = 0;
  std::optional<int64_t> tag;  // has few values, so conflicts are frequent where it must be unique
  std::string text;
  std::optional<int32_t> ttl;
};

std::string ToBson(const Document& document);
Document FromBson(std::string_view bson);

// What a patch changes, in this order.
struct Patch {
  int64_t number = 0;          // the new number
  int64_t counted = 0;         // added to the counter
  std::optional<int64_t> tag;  // replaces an existing tag
  enum class Ttl : uint8_t { kKeep, kSet, kRemove };
  Ttl ttl = Ttl::kKeep;
  int32_t ttl_s = 0;  // for kSet
};

engine::ItemPatch ToEdits(const Patch& patch);
// Returns the patched document, or nullopt if there is no tag to replace or no ttl to remove.
std::optional<Document> Patched(Document document, const Patch& patch);

}  // namespace lapse::simulation
