#include "api/cosmos/auth/grant.h"

#include <openssl/sha.h>

#include <algorithm>
#include <utility>

#include "api/cosmos/partition_key/partition_key_values.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/invalid.h"
#include "base/ascii.h"
#include "base/bytes.h"
#include "doc/json.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kResourceBytesMax = 4096;

std::string_view WithoutSlashes(std::string_view link) {
  while (link.starts_with('/')) link.remove_prefix(1);
  while (link.ends_with('/')) link.remove_suffix(1);
  return link;
}

std::string_view TakeSegment(std::string_view* rest) {
  const size_t end = rest->find('/');
  std::string_view segment = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return segment;
}

// Accepts `dbs/X/colls/Y[/docs/Z]`. Any other link names nothing that a token can open.
void ReadLink(Grant* grant) {
  std::string_view rest = grant->resource;
  if (TakeSegment(&rest) != "dbs") return;
  const std::string_view database = TakeSegment(&rest);
  if (TakeSegment(&rest) != "colls") return;
  const std::string_view container = TakeSegment(&rest);
  if (database.empty() || container.empty()) return;
  grant->database = database;
  grant->container = container;
  grant->by_rid = IsDatabaseRid(database) && ParseContainerRid(container).has_value();
  if (rest.empty()) {
    grant->scope = Grant::Scope::kContainer;
    return;
  }
  const bool is_item = TakeSegment(&rest) == "docs" && !rest.empty() && rest.find('/') == std::string_view::npos;
  if (!is_item) return;
  if (grant->by_rid) {
    const std::optional<Rid> rid = ParseRid(rest);
    if (!rid || rid->kind != Rid::Kind::kItem || rid->container != ParseContainerRid(container)) return;
  }
  grant->scope = Grant::Scope::kItem;
  grant->item = rest;
}

Result<GrantMode> ReadMode(doc::Value mode) {
  if (mode.type() == doc::Type::kString) {
    if (EqualsIgnoreCase(mode.AsString(), "read")) return GrantMode::kRead;
    if (EqualsIgnoreCase(mode.AsString(), "all")) return GrantMode::kAll;
  }
  return Invalid("The permissionMode of a permission must be 'Read' or 'All'.");
}

Result<std::string> ReadKey(doc::Value key) {
  const Status invalid = Invalid("Partition key supplied is not valid.");
  if (key.type() != doc::Type::kArray) return invalid;
  std::string json;
  doc::ArrayToJson(key.AsDocument(), &json);
  Result<PartitionKeyValues> values = ParsePartitionKeyHeader(json);
  if (!values.ok()) return invalid;
  return engine::EncodeKeyValue(*values);
}

}  // namespace

bool Grant::IsOn(const Route& route) const {
  if (scope != Scope::kItem || by_rid != route.by_rid()) return false;
  if (!by_rid) return item == route.item();
  const std::optional<Rid> own = ParseRid(item);
  return own && route.rid() && own->number == route.rid()->number;
}

GrantDigest Grant::Digest() const {
  std::string text(1, static_cast<char>(mode));
  PutText(&text, resource);
  text.push_back(key ? '\1' : '\0');
  text.append(key.value_or(""));
  unsigned char hash[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash);
  GrantDigest digest;
  std::copy_n(hash, digest.size(), digest.begin());
  return digest;
}

engine::ContainerId Grant::ContainerIn(const engine::CatalogView& catalog) const {
  if (container.empty()) return 0;
  // A database with such a name takes precedence over the rid.
  Result<engine::ContainerPtr> named = catalog.FindContainer(database, container);
  if (named.ok()) return (*named)->id();
  return by_rid ? ParseContainerRid(container).value_or(0) : 0;
}

Result<Grant> ReadGrant(std::string_view permission) {
  const doc::Value mode = doc::Find(permission, "permissionMode");
  const doc::Value resource = doc::Find(permission, "resource");
  if (mode.missing() || resource.missing()) {
    return Invalid("The input content is invalid because the required properties - '" +
                   std::string(mode.missing() ? "permissionMode; " : "") +
                   std::string(resource.missing() ? "resource; " : "") + "' - are missing");
  }
  Grant grant;
  LAPSE_ASSIGN_OR_RETURN(grant.mode, ReadMode(mode));
  if (resource.type() != doc::Type::kString || WithoutSlashes(resource.AsString()).empty() ||
      resource.AsString().size() > kResourceBytesMax) {
    return Invalid("The resource of a permission must be the link of a resource, of at most 4096 bytes.");
  }
  grant.resource = WithoutSlashes(resource.AsString());
  const doc::Value key = doc::Find(permission, "resourcePartitionKey");
  if (!key.missing()) {
    LAPSE_ASSIGN_OR_RETURN(grant.key, ReadKey(key));
  }
  ReadLink(&grant);
  return grant;
}

}  // namespace lapse::api::cosmos
