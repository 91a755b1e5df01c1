// Small documents that a database owns beside its containers: what an API calls users, permissions or encryption keys.
// The engine knows their names and whose they are, and nothing of what they mean.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "base/status.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

// Among which resources a name is given once.
struct ResourcePlace {
  DatabaseId database = 0;
  ResourceNumber owner = 0;  // another resource of the database; 0: the database itself
  uint8_t kind = 0;          // the API's own number

  bool operator==(const ResourcePlace&) const = default;
  bool operator<(const ResourcePlace& other) const {
    return std::tie(database, owner, kind) < std::tie(other.database, other.owner, other.kind);
  }
};

// What its creator says of it, and what a replace may change.
struct ResourceContent {
  std::string name;
  // A second text that is given once in a place; empty: there is none.
  std::string unique;
  std::string properties;  // BSON, opaque to the engine
};

// Immutable once made.
struct OwnedResource {
  ResourceNumber number = 0;  // never given twice, whatever the database
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
