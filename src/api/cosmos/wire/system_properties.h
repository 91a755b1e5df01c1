// The properties that the system adds to every resource it returns. Stored documents hold none of them: values that a
// client sends under these names are dropped.
#pragma once

#include <string>
#include <string_view>

#include "engine/catalog/view/catalog_view.h"
#include "engine/records/items/item.h"

namespace lapse::api::cosmos {

bool IsItemSystemName(std::string_view name);
bool IsContainerSystemName(std::string_view name);
bool IsDatabaseSystemName(std::string_view name);
// For users, permissions and client encryption keys.
bool IsOwnedSystemName(std::string_view name);

// Returns the document without the top-level names for which `is_system` is true, or the same bytes if there are none.
std::string WithoutSystemNames(std::string document, bool (*is_system)(std::string_view));

// The system names of an owned resource (a user, a permission, a client encryption key).
struct OwnedNames {
  std::string rid;
  std::string self;
  std::string etag;  // with its quotes
};

// Each appends the complete resource as JSON. An owned resource ends with `more`: members, with a comma before each.
void AppendOwnedJson(const engine::OwnedResource& resource, const OwnedNames& names, std::string_view more,
                     std::string* json);
void AppendDatabaseJson(const engine::Database& database, std::string* json);
void AppendContainerJson(const engine::Container& container, const engine::ContainerState& state, std::string* json);
void AppendItemJson(const engine::Container& container, const engine::ItemMeta& meta, std::string_view document,
                    std::string* json);
// The same as in the change feed: with `_lsn`, the position of its last write in the order of the feed.
void AppendChangedItemJson(const engine::Container& container, const engine::ItemMeta& meta, std::string_view document,
                           std::string* json);

}  // namespace lapse::api::cosmos
