// The documents of the simulation, and patches of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/items/item_patch.h"

namespace lapse::simulation {

struct Document {
  int64_t number = 0;  // no two documents have the same
  int64_t counter = 0;
  std::optional<int64_t> tag;  // has few values: where it must be unique it often is not
  std::string text;
  std::optional<int32_t> ttl;
};

std::string ToBson(const Document& document);
Document FromBson(std::string_view bson);

// What a patch changes, in this order.
struct Patch {
  int64_t number = 0;          // is set
  int64_t counted = 0;         // is added to the counter
  std::optional<int64_t> tag;  // replaces the one that is there
  enum class Ttl : uint8_t { kKeep, kSet, kRemove };
  Ttl ttl = Ttl::kKeep;
  int32_t ttl_s = 0;  // for kSet
};

engine::ItemPatch ToEdits(const Patch& patch);
// What the patch makes of a document; nothing where there is no tag to replace or no ttl to remove.
std::optional<Document> Patched(Document document, const Patch& patch);

}  // namespace lapse::simulation
