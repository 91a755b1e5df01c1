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
  std::string database;   // as the link names them; empty when it names none
  std::string container;  // the same
  std::string item;       // kItem: its id, or its rid
  bool by_rid = false;    // the link has rids and not names
  // The one partition key, as engine::EncodeKeyValue has it; nullopt: all keys.
  std::optional<std::string> key;

  // Whether it is on the one item of this path, in the form that the path has: an id and a rid are not compared.
  bool IsOn(const Route& route) const;
  GrantDigest Digest() const;
  // The container that the link leads to now; 0 when there is none.
  engine::ContainerId ContainerIn(const engine::CatalogView& catalog) const;
};

// From the document of a permission. Fails: kInvalidArgument, in the API's words.
Result<Grant> ReadGrant(std::string_view permission);

}  // namespace lapse::api::cosmos
