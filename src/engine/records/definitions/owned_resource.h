// Small documents that a database owns besides its containers: what an API calls users, permissions or encryption keys.
// The engine knows their names and owners, but not what they mean.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "base/status.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

// The scope in which a resource name is unique.
struct ResourcePlace {
  DatabaseId database = 0;
  ResourceNumber owner = 0;  // another resource of the database; 0: the database itself
  uint8_t kind = 0;          // the API's own number

  bool operator==(const ResourcePlace&) const = default;
  bool operator<(const ResourcePlace& other) const {
    return std::tie(database, owner, kind) < std::tie(other.database, other.owner, other.kind);
  }
};

// The content that its creator supplies, and that a replace may change.
struct ResourceContent {
  std::string name;
  // A second text that is unique within a place; empty: none.
  std::string unique;
  std::string properties;  // BSON, opaque to the engine
};

// Immutable once made.
struct OwnedResource {
  ResourceNumber number = 0;  // never reused, in any database
  ResourcePlace place;
  ResourceContent content;
  int64_t ts_s = 0;
  uint64_t revision = 1;  // counts changes
};

using OwnedResourcePtr = std::shared_ptr<const OwnedResource>;

// The value in the meta family. Number and database are in the key.
std::string EncodeOwnedResource(const OwnedResource& resource);
Result<OwnedResource> DecodeOwnedResource(std::string_view bytes);

std::string EncodeResourceCounter(ResourceNumber last);
Result<ResourceNumber> DecodeResourceCounter(std::string_view bytes);

}  // namespace lapse::engine
