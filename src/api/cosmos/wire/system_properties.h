// The properties that the system adds to every resource it shows. Stored documents hold none of them: what a client
// sends back under these names is dropped.
#pragma once

#include <string>
#include <string_view>

#include "engine/catalog/view/catalog_view.h"
#include "engine/records/items/item.h"

namespace lapse::api::cosmos {

bool IsItemSystemName(std::string_view name);
bool IsContainerSystemName(std::string_view name);
bool IsDatabaseSystemName(std::string_view name);
// Of users, permissions and client encryption keys.
bool IsOwnedSystemName(std::string_view name);

// The document without the top-level names for which `is_system` says so; the same bytes when there are none.
std::string WithoutSystemNames(std::string document, bool (*is_system)(std::string_view));

// What the system calls an owned resource (a user, a permission, a client encryption key).
struct OwnedNames {
  std::string rid;
  std::string self;
  std::string etag;  // with its quotes
};

// Each appends the resource as JSON, complete. An owned resource ends with `more`: members, with a comma before each.
void AppendOwnedJson(const engine::OwnedResource& resource, const OwnedNames& names, std::string_view more,
                     std::string* json);
void AppendDatabaseJson(const engine::Database& database, std::string* json);
void AppendContainerJson(const engine::Container& container, const engine::ContainerState& state, std::string* json);
void AppendItemJson(const engine::Container& container, const engine::ItemMeta& meta, std::string_view document,
                    std::string* json);
// The same as the change feed shows it: with `_lsn`, the place of its last write in the order of the feed.
void AppendChangedItemJson(const engine::Container& container, const engine::ItemMeta& meta, std::string_view document,
                           std::string* json);

}  // namespace lapse::api::cosmos
