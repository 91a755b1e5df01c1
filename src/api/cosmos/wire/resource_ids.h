// The system's own names for resources: `_rid`, `_self`, `_etag`. All are made from ids that the engine never reuses.
//
//   _rid    database: its id (4 bytes). Container: database id, container id with the top bit set (8). Both big-endian.
//           What is in a container: the container's 8 bytes, then its number, little-endian and below 2^60, with the
//           kind in the top four bits: 0 an item, 4 a conflict, 5 a partition key range, 6 to 8 a script (16). User:
//           database id, its number, whose top bit is clear (8). Permission: the user's 8 bytes, its number (16).
//           Client encryption key: database id, zero, its number, 02 00 00 00 (16). Base64 with '-' for '/'.
//   _etag   a quoted text in the shape of a GUID: the low 4 bits of the container's id, the partition that the item was
//           created in (20), `_ts` (40), the sequence number (64). So it differs for each version of each item of a
//           container. A database's and a container's have the low 24 bits of the id, zero and the revision.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"

namespace lapse::api::cosmos {

// Each appends to `out`.
void AppendDatabaseRid(engine::DatabaseId database, std::string* out);
void AppendContainerRid(engine::DatabaseId database, engine::ContainerId container, std::string* out);
void AppendItemRid(engine::DatabaseId database, engine::ContainerId container, engine::ItemNumber item,
                   std::string* out);
// `dbs/<rid>/colls/<rid>/docs/<rid>/`.
void AppendItemSelf(engine::DatabaseId database, engine::ContainerId container, engine::ItemNumber item,
                    std::string* out);
void AppendRangeRid(engine::DatabaseId database, engine::ContainerId container, engine::PartitionNumber range,
                    std::string* out);

void AppendUserRid(engine::DatabaseId database, engine::ResourceNumber user, std::string* out);
void AppendPermissionRid(engine::DatabaseId database, engine::ResourceNumber user, engine::ResourceNumber permission,
                         std::string* out);
void AppendEncryptionKeyRid(engine::DatabaseId database, engine::ResourceNumber key, std::string* out);

// The parts of a rid.
struct Rid {
  enum class Kind : uint8_t {
    kDatabase,
    kContainer,
    kItem,
    kConflict,
    kRange,
    kScript,
    kUser,
    kPermission,
    kEncryptionKey,
  };
  Kind kind = Kind::kDatabase;
  engine::DatabaseId database = 0;
  engine::ContainerId container = 0;  // for a container, and for what is in one
  engine::ResourceNumber user = 0;    // for a user, and for a permission
  uint64_t number = 0;                // for an item, a range, a user, a permission, an encryption key
};

// Returns nullopt if the text is not a rid. Does not check whether the resource exists.
std::optional<Rid> ParseRid(std::string_view text);
// Returns the container of a container's rid, or nullopt if the text is not one.
std::optional<engine::ContainerId> ParseContainerRid(std::string_view rid);
bool IsDatabaseRid(std::string_view rid);

// With its quotes: `"10000000-684e-e180-0000-000000000005"`.
void AppendItemEtag(engine::ContainerId container, const engine::ItemMeta& meta, std::string* out);
void AppendContainerEtag(engine::ContainerId container, uint64_t revision, std::string* out);
void AppendDatabaseEtag(engine::DatabaseId database, std::string* out);

// Returns the version of an etag, or nullopt if it is not an etag of this container. Quotes may be missing.
std::optional<engine::ItemVersion> ParseItemEtag(std::string_view etag, engine::ContainerId container);
std::optional<uint64_t> ParseContainerEtag(std::string_view etag, engine::ContainerId container);

// The id of the offer for the throughput of a database or a container. It has at least four characters, digits and
// lower-case letters, because signatures cover it in lower case.
enum class OfferOwner : uint8_t { kContainer = 0, kDatabase = 1 };
std::string OfferId(OfferOwner kind, uint32_t owner);

}  // namespace lapse::api::cosmos
