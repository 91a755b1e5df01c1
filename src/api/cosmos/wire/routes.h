// Maps a request's path to the resource it names, and to what its signature must cover. Resources are named by id or by
// rid (docs/design/rid-addressing.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cosmos/wire/resource_ids.h"

namespace lapse::api::cosmos {

enum class RouteKind : uint8_t {
  kUnknown,
  kAccount,
  kDatabases,
  kDatabase,
  kContainers,
  kContainer,
  kPartitionKeyRanges,
  kPartitionKeyRange,
  kItems,
  kItem,
  kScripts,  // stored procedures, triggers, functions
  kScript,
  kConflicts,
  kConflict,
  kKeyDeletion,  // operations/partitionkeydelete
  kUsers,
  kUser,
  kPermissions,
  kPermission,
  kEncryptionKeys,
  kEncryptionKey,
  kOffers,
  kOffer,
};
constexpr size_t kRouteKinds = 23;

// A parsed path. Views point into the given path or into `decoded_`, so a route must stay where it was made.
class Route {
 public:
  Route() = default;
  Route(const Route&) = delete;
  Route& operator=(const Route&) = delete;

  // `path` is still percent-encoded and must outlive the route. Ids are decoded exactly once. A path that is not part
  // of the API, or is malformed, gives kUnknown. Two slashes at the start count as one, because some clients join an
  // endpoint that ends in a slash with a path.
  void Parse(std::string_view path);

  // Whether the path may consist of rids. It does, unless a database has such a name.
  bool may_be_rids() const { return may_be_rids_; }
  // From now on the path consists of rids: it has no names, and its signature covers another link.
  void TakeAsRids();
  bool by_rid() const { return by_rid_; }
  // Returns the last rid of the path, which identifies everything; for a feed, the parent's. Nullopt: it is not a rid,
  // or not of the kind that the path requires.
  const std::optional<Rid>& rid() const { return rid_; }

  RouteKind kind() const { return kind_; }
  std::string_view database() const { return database_; }
  std::string_view container() const { return container_; }
  // Returns the last id of the path: an item's, a permission's, an encryption key's, an offer's rid.
  std::string_view item() const { return item_; }
  std::string_view user() const { return user_; }
  // Empty for the account.
  std::string_view resource_type() const { return resource_type_; }
  // Returns what is signed: the resource's own link, or its parent's for a feed. By rid: the last rid alone, in lower
  // case.
  std::string_view resource_link() const { return resource_link_; }
  // Returns `dbs/X/colls/Y` as the client encoded it. The client stores its session under this name.
  std::string_view encoded_container_link() const { return encoded_container_link_; }

 private:
  RouteKind kind_ = RouteKind::kUnknown;
  bool may_be_rids_ = false;
  bool by_rid_ = false;
  std::optional<Rid> rid_;
  std::string decoded_;
  std::string rid_link_;
  std::string_view database_;
  std::string_view container_;
  std::string_view item_;
  std::string_view user_;
  std::string_view resource_type_;
  std::string_view resource_link_;
  std::string_view last_id_;  // of the path: the resource's own, or its parent's for a feed
  std::string_view encoded_container_link_;
};

// Whether clients request the addresses of replicas at this path.
bool IsAddressesPath(std::string_view path);

}  // namespace lapse::api::cosmos
