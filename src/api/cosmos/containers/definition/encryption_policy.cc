#include "api/cosmos/containers/definition/encryption_policy.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "api/cosmos/wire/request_body.h"
#include "api/invalid.h"
#include "doc/json.h"
#include "doc/path.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kEncryptionPolicy = "clientEncryptionPolicy";
constexpr int64_t kVersionOfKeys = 2;  // from this version on ids and partition keys may be encrypted

std::string_view TextOf(std::string_view document, std::string_view name) {
  const doc::Value value = doc::Find(document, name);
  return value.type() == doc::Type::kString ? value.AsString() : std::string_view();
}

// Whether it is the id, or the first property of a partition key path.
bool IsKeyPath(std::string_view path, const engine::PartitionKeyDefinition& partition_key) {
  if (path == "/id") return true;
  return std::any_of(partition_key.paths.begin(), partition_key.paths.end(),
                     [&](const doc::Path& key) { return path.substr(1) == key.names().front(); });
}

Status CheckPath(std::string_view included, int64_t version, const engine::PartitionKeyDefinition& partition_key,
                 const std::function<bool(std::string_view)>& has_key) {
  const std::string_view path = TextOf(included, "path");
  if (path.size() < 2 || path[0] != '/' || path.find('/', 1) != std::string_view::npos) {
    return Invalid("The path of a clientEncryptionPolicy must be '/' and the name of a top-level property.");
  }
  const std::string_view type = TextOf(included, "encryptionType");
  if (type != "Deterministic" && type != "Randomized") {
    return Invalid("EncryptionType should be either 'Deterministic' or 'Randomized'. ");
  }
  if (TextOf(included, "encryptionAlgorithm") != "AEAD_AES_256_CBC_HMAC_SHA256") {
    return Invalid("EncryptionAlgorithm should be 'AEAD_AES_256_CBC_HMAC_SHA256'.");
  }
  if (IsKeyPath(path, partition_key) && (version < kVersionOfKeys || type != "Deterministic")) {
    return Invalid("The path " + std::string(path) +
                   " of a clientEncryptionPolicy is the id or a partition key: it needs policyFormatVersion 2 and the "
                   "EncryptionType 'Deterministic'.");
  }
  const std::string_view key = TextOf(included, "clientEncryptionKeyId");
  if (has_key(key)) return Status::Ok();
  return Invalid("ClientEncryptionKey with id '[" + std::string(key) + "]' does not exist.");
}

}  // namespace

Status CheckEncryptionPolicy(std::string_view definition, const engine::PartitionKeyDefinition& partition_key,
                             const std::function<bool(std::string_view)>& has_key) {
  const doc::Value policy = doc::Find(definition, kEncryptionPolicy);
  if (IsAbsent(policy)) return Status::Ok();
  if (policy.type() != doc::Type::kObject) return Invalid("The clientEncryptionPolicy must be an object.");
  const doc::Value version = doc::Find(policy.AsDocument(), "policyFormatVersion");
  const std::optional<int64_t> number = version.IsNumber() ? version.AsWholeNumber() : std::nullopt;
  if (!number || *number < 1 || *number > kVersionOfKeys) {
    return Invalid("The policyFormatVersion of a clientEncryptionPolicy must be 1 or 2.");
  }
  const doc::Value paths = doc::Find(policy.AsDocument(), "includedPaths");
  if (paths.type() != doc::Type::kArray) {
    return Invalid("The includedPaths of a clientEncryptionPolicy must be an array.");
  }
  std::set<std::string_view> seen;
  doc::Reader reader(paths.AsDocument());
  while (auto element = reader.Next()) {
    if (element->value.type() != doc::Type::kObject) {
      return Invalid("The includedPaths of a clientEncryptionPolicy must be objects.");
    }
    const std::string_view included = element->value.AsDocument();
    LAPSE_RETURN_IF_ERROR(CheckPath(included, *number, partition_key, has_key));
    const std::string_view path = TextOf(included, "path");
    if (!seen.insert(path).second) return Invalid("Duplicate Path found: " + std::string(path) + ".");
  }
  return Status::Ok();
}

Status CheckSameEncryptionPolicy(std::string_view before, std::string_view after) {
  const auto text = [](std::string_view definition) {
    const doc::Value policy = doc::Find(definition, kEncryptionPolicy);
    std::string json;
    if (!IsAbsent(policy)) doc::ValueToJson(policy, &json);
    return json;
  };
  if (text(before) == text(after)) return Status::Ok();
  return Invalid("'clientEncryptionPolicy' cannot be changed as part of collection replace operation.");
}

}  // namespace lapse::api::cosmos
