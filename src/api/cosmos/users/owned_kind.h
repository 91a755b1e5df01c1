// What users, permissions and client encryption keys have in common: small documents of a database with a name, made,
// read, listed, replaced and deleted in the same way.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/records/definitions/owned_resource.h"

namespace lapse::api::cosmos {

// The numbers under which the catalog keeps them.
constexpr uint8_t kUserKind = 1;
constexpr uint8_t kPermissionKind = 2;
constexpr uint8_t kEncryptionKeyKind = 3;

// One kind of them.
struct OwnedKind {
  uint8_t kind;
  std::string_view feed_name;  // the member of a feed: "Users"
  // Where the resources of this path are. Fails: kNotFound when the database, or the user, is not there.
  Result<engine::ResourcePlace> (*place)(const Call& call);
  // The name of the one resource that the path names by name.
  std::string_view (*name)(const Route& route);
  // What is to be stored, from a document without system properties whose id has been checked. Fails: kInvalidArgument.
  Result<std::string> (*unique)(const Call& call, std::string_view document);
  // What the headers of a request ask for. Fails: kInvalidArgument, before anything is done.
  Status (*check)(const net::Request& request);
  // The resource as JSON, complete.
  void (*append)(const Call& call, const engine::OwnedResource& resource, std::string* json);
  // Whether an answer may say "not modified": not when each answer has something new in it.
  bool conditional_read;
  // Whether a replace may give it another id.
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

// The resource with this number, which must be in this place. Fails: kNotFound.
Result<engine::OwnedResourcePtr> Numbered(const Call& call, const engine::ResourcePlace& place, uint64_t number);

// For `name` of a kind whose resources are the last part of the path.
std::string_view NameOfChild(const Route& route);
// For `check` of a kind that asks for nothing by headers.
Status AnyHeaders(const net::Request& request);

// The database of the path as a place. Fails: kNotFound.
Result<engine::ResourcePlace> PlaceInDatabase(const Call& call, uint8_t kind);

}  // namespace lapse::api::cosmos
