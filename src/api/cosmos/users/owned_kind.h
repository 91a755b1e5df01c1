// The common part of users, permissions and client encryption keys: small named documents of a database, which are
// created, read, listed, replaced and deleted in the same way.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/records/definitions/owned_resource.h"

namespace lapse::api::cosmos {

// The catalog's numbers for these kinds.
constexpr uint8_t kUserKind = 1;
constexpr uint8_t kPermissionKind = 2;
constexpr uint8_t kEncryptionKeyKind = 3;

// One of these kinds.
struct OwnedKind {
  uint8_t kind;
  std::string_view feed_name;  // the member of a feed: "Users"
  // Returns where the resources of this path are. Fails: kNotFound if the database or the user does not exist.
  Result<engine::ResourcePlace> (*place)(const Call& call);
  // Returns the name of the resource that the path names.
  std::string_view (*name)(const Route& route);
  // Checks a document without system properties, whose id has been checked. Returns a text that no other resource in
  // its place may share; empty: none. Fails: kInvalidArgument.
  Result<std::string> (*unique)(const Call& call, std::string_view document);
  // Checks what the headers of a request ask for, before anything is done. Fails: kInvalidArgument.
  Status (*check)(const net::Request& request);
  // Appends the complete resource as JSON.
  void (*append)(const Call& call, const engine::OwnedResource& resource, std::string* json);
  // Whether a response may be "not modified". It may not if each response contains something new.
  bool conditional_read;
  // Whether a replace may change the id.
  bool renames;
};

void CreateOwned(const OwnedKind& kind, CallPtr call);
void UpsertOwned(const OwnedKind& kind, CallPtr call);
void ListOwned(const OwnedKind& kind, CallPtr call);
void QueryOwned(const OwnedKind& kind, CallPtr call);
void ReadOwned(const OwnedKind& kind, CallPtr call);
void ReplaceOwned(const OwnedKind& kind, CallPtr call);
void DeleteOwned(const OwnedKind& kind, CallPtr call);

// With its quotes.
std::string OwnedEtag(const engine::OwnedResource& resource);

// Returns the resource with this number, which must be in this place. Fails: kNotFound.
Result<engine::OwnedResourcePtr> Numbered(const Call& call, const engine::ResourcePlace& place, uint64_t number);

// `name` for kinds whose resources are the last part of the path.
std::string_view NameOfChild(const Route& route);
// `check` for kinds that use no headers.
Status AnyHeaders(const net::Request& request);

// Returns the database of the path as a place. Fails: kNotFound.
Result<engine::ResourcePlace> PlaceInDatabase(const Call& call, uint8_t kind);

}  // namespace lapse::api::cosmos
