// Client encryption keys: kept for clients that encrypt properties themselves. The server cannot unwrap them.
#include <string>
#include <utility>

#include "api/cosmos/users/handlers.h"
#include "api/cosmos/users/owned_kind.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "api/invalid.h"
#include "base/base64.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kAlgorithm = "AEAD_AES_256_CBC_HMAC_SHA256";

Result<engine::ResourcePlace> PlaceOfKeys(const Call& call) {
  return PlaceInDatabase(call, kEncryptionKeyKind);
}

// Returns no unique text, but checks that the document is a key.
Result<std::string> CheckedKey(const Call&, std::string_view document) {
  const doc::Value algorithm = doc::Find(document, "encryptionAlgorithm");
  if (algorithm.type() != doc::Type::kString || algorithm.AsString() != kAlgorithm) {
    return Invalid("EncryptionAlgorithm should be 'AEAD_AES_256_CBC_HMAC_SHA256'.");
  }
  const doc::Value wrapped = doc::Find(document, "wrappedDataEncryptionKey");
  std::string bytes;
  if (wrapped.type() != doc::Type::kString || !FromBase64(wrapped.AsString(), &bytes) || bytes.empty()) {
    return Invalid("The wrappedDataEncryptionKey of a client encryption key must be base64.");
  }
  const doc::Value metadata = doc::Find(document, "keyWrapMetadata");
  if (metadata.type() != doc::Type::kObject) {
    return Invalid("The keyWrapMetadata of a client encryption key must be an object.");
  }
  for (std::string_view name : {"type", "name", "value", "algorithm"}) {
    const doc::Value member = doc::Find(metadata.AsDocument(), name);
    if (member.type() == doc::Type::kString) continue;
    // Older clients send no algorithm.
    if (name == "algorithm" && member.type() == doc::Type::kMissing) continue;
    return Invalid("The keyWrapMetadata of a client encryption key must have the property '" + std::string(name) +
                   "', a string.");
  }
  return std::string();
}

void AppendKeyJson(const Call&, const engine::OwnedResource& key, std::string* json) {
  OwnedNames names;
  AppendEncryptionKeyRid(key.place.database, key.number, &names.rid);
  names.self = "dbs/";
  AppendDatabaseRid(key.place.database, &names.self);
  names.self += "/clientencryptionkeys/" + names.rid + "/";
  names.etag = OwnedEtag(key);
  AppendOwnedJson(key, names, "", json);
}

constexpr OwnedKind kKeys = {.kind = kEncryptionKeyKind,
                             .feed_name = "ClientEncryptionKeys",
                             .place = PlaceOfKeys,
                             .name = NameOfChild,
                             .unique = CheckedKey,
                             .check = AnyHeaders,
                             .append = AppendKeyJson,
                             .conditional_read = true,
                             .renames = false};

}  // namespace

void CreateEncryptionKey(CallPtr call) {
  CreateOwned(kKeys, std::move(call));
}
void ListEncryptionKeys(CallPtr call) {
  ListOwned(kKeys, std::move(call));
}
void QueryEncryptionKeys(CallPtr call) {
  QueryOwned(kKeys, std::move(call));
}
void ReadEncryptionKey(CallPtr call) {
  ReadOwned(kKeys, std::move(call));
}
void ReplaceEncryptionKey(CallPtr call) {
  ReplaceOwned(kKeys, std::move(call));
}

}  // namespace lapse::api::cosmos
