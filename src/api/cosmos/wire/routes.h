// From a request's path to the resource it names, and to what its signature must cover. Resources are named by their
// ids, or by their rids (docs/design/rid-addressing.md).
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

// A parsed path. Views point into the path that was given or into `decoded_`, so a route stays where it was made.
class Route {
 public:
  Route() = default;
  Route(const Route&) = delete;
  Route& operator=(const Route&) = delete;

  // `path` is still percent-encoded and must outlive the route. Ids are decoded exactly once. A path that is not part
  // of the API, or is badly encoded, gives kUnknown. Two slashes at its begin count as one: clients that put an
  // endpoint with a slash at its end before a path send such.
  void Parse(std::string_view path);

  // Whether the path may be one of rids: it is, unless a database has such a name.
  bool may_be_rids() const { return may_be_rids_; }
  // From now on the path is one of rids: there are no names in it, and another link is signed.
  void TakeAsRids();
  bool by_rid() const { return by_rid_; }
  // The last rid of the path, which says everything; of a feed, the parent's. nullopt: it is no rid, or none of the
  // kind that the path asks for.
  const std::optional<Rid>& rid() const { return rid_; }

  RouteKind kind() const { return kind_; }
  std::string_view database() const { return database_; }
  std::string_view container() const { return container_; }
  // The last id of the path: an item's, a permission's, an encryption key's, an offer's rid.
  std::string_view item() const { return item_; }
  std::string_view user() const { return user_; }
  // Empty for the account.
  std::string_view resource_type() const { return resource_type_; }
  // What is signed: the resource's own link, or its parent's for a feed. By rid: the last rid alone, in lower case.
  std::string_view resource_link() const { return resource_link_; }
  // `dbs/X/colls/Y` as the client encoded it: the name under which it keeps its session.
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

// Whether clients ask at this path for the addresses of replicas.
bool IsAddressesPath(std::string_view path);

}  // namespace lapse::api::cosmos
