// What a permission grants, read from its document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cosmos/wire/credentials/resource_token.h"
#include "api/cosmos/wire/routes.h"
#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"
#include "engine/records/ids/ids.h"

namespace lapse::api::cosmos {

struct Grant {
  enum class Scope : uint8_t {
    kContainer,
    kItem,
    kElsewhere,  // a script or another thing in a container, or nothing that a token can open
  };

  GrantMode mode = GrantMode::kRead;
  std::string resource;  // the link, without slashes at its ends
  Scope scope = Scope::kElsewhere;
  std::string database;   // as the link names it; empty if it names none
  std::string container;  // likewise
  std::string item;       // kItem: its id, or its rid
  bool by_rid = false;    // whether the link has rids rather than names
  // The only partition key, encoded by engine::EncodeKeyValue; nullopt: all keys.
  std::optional<std::string> key;

  // Whether the grant is on the item of this path. Compares ids with ids and rids with rids only.
  bool IsOn(const Route& route) const;
  GrantDigest Digest() const;
  // Returns the container that the link leads to now, or 0 if there is none.
  engine::ContainerId ContainerIn(const engine::CatalogView& catalog) const;
};

// Reads the document of a permission. Fails: kInvalidArgument, in the API's words.
Result<Grant> ReadGrant(std::string_view permission);

}  // namespace lapse::api::cosmos
