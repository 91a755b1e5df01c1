// The system's own names for resources: `_rid`, `_self`, `_etag`. All are made from ids that the engine never reuses.
//
//   _rid    database: its id (4 bytes). Container: database id, container id with the top bit set (8). Item: the
//           container's 8 bytes, then the item's rid (16). Big-endian, base64 with '-' for '/'.
//   _etag   a quoted text in the shape of a GUID: container id (32 bits), LSN (64), `_ts` (32). A database's and a
//           container's have the id, the revision and zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/container.h"
#include "engine/items/item.h"

namespace lapse::api::cosmos {

// Each appends to `out`.
void AppendDatabaseRid(engine::DatabaseId database, std::string* out);
void AppendContainerRid(engine::DatabaseId database, engine::ContainerId container, std::string* out);
void AppendItemRid(engine::DatabaseId database, engine::ContainerId container, uint64_t item, std::string* out);

// With its quotes: `"00000001-0000-0000-0000-000568c0ffee"`.
void AppendItemEtag(engine::ContainerId container, const engine::ItemVersion& version, std::string* out);
void AppendContainerEtag(engine::ContainerId container, uint64_t revision, std::string* out);
void AppendDatabaseEtag(engine::DatabaseId database, std::string* out);

// The version an etag stands for; nullopt when it is not an etag of this container. Quotes may be missing.
std::optional<engine::ItemVersion> ParseItemEtag(std::string_view etag, engine::ContainerId container);
std::optional<uint64_t> ParseContainerEtag(std::string_view etag, engine::ContainerId container);

// The id of the offer for the throughput of a database or a container: at least four digits and lower-case letters, as
// signatures cover it in lower case.
enum class OfferOwner : uint8_t { kContainer = 0, kDatabase = 1 };
std::string OfferId(OfferOwner kind, uint32_t owner);

}  // namespace lapse::api::cosmos
