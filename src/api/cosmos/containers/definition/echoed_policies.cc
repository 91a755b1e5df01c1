#include "api/cosmos/containers/definition/echoed_policies.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "api/cosmos/containers/definition/index_path.h"
#include "api/cosmos/wire/request_body.h"
#include "api/invalid.h"

namespace lapse::api::cosmos {
namespace {

// The service's limit.
constexpr int64_t kDimensionsMax = 4096;

Status Wrong(std::string_view what, std::string_view policy, std::string_view must) {
  return Invalid(std::string(what).append(" of ").append(policy).append(" must be ").append(must));
}

Status CheckText(std::string_view object, std::string_view name, std::string_view policy) {
  const doc::Value value = doc::Find(object, name);
  return IsAbsent(value) || value.type() == doc::Type::kString ? Status::Ok() : Wrong(name, policy, "a string");
}

Status CheckTextOf(doc::Value value, std::string_view what, std::string_view policy,
                   std::initializer_list<std::string_view> allowed) {
  if (IsAbsent(value)) return Status::Ok();
  const bool is_text = value.type() == doc::Type::kString;
  if (is_text && std::find(allowed.begin(), allowed.end(), value.AsString()) != allowed.end()) return Status::Ok();
  std::string must = "one of:";
  for (const std::string_view text : allowed) must.append(" ").append(text);
  return Wrong(what, policy, must);
}

// Calls `check` with each object of the list.
template <typename Check>
Status ForEachEntry(std::string_view object, std::string_view list, std::string_view policy, const Check& check) {
  const doc::Value entries = doc::Find(object, list);
  if (IsAbsent(entries)) return Status::Ok();
  if (entries.type() != doc::Type::kArray) return Wrong(list, policy, "an array");
  doc::Reader reader(entries.AsDocument());
  while (const auto entry = reader.Next()) {
    if (entry->value.type() != doc::Type::kObject)
      return Wrong("An entry in " + std::string(list), policy, "an object");
    LAPSE_RETURN_IF_ERROR(check(entry->value.AsDocument()));
  }
  return Status::Ok();
}

Status CheckPath(std::string_view entry, std::string_view policy) {
  const doc::Value path = doc::Find(entry, "path");
  if (path.type() != doc::Type::kString) return Wrong("path", policy, "a string");
  return ReadCompositePath(path.AsString()).status();
}

Status CheckObject(doc::Value policy, std::string_view name) {
  return policy.type() == doc::Type::kObject ? Status::Ok() : Invalid(std::string(name) + " must be an object");
}

}  // namespace

Status CheckConflictResolutionPolicy(doc::Value policy) {
  constexpr std::string_view kName = "conflictResolutionPolicy";
  if (IsAbsent(policy)) return Status::Ok();
  LAPSE_RETURN_IF_ERROR(CheckObject(policy, kName));
  LAPSE_RETURN_IF_ERROR(
      CheckTextOf(doc::Find(policy.AsDocument(), "mode"), "mode", kName, {"LastWriterWins", "Custom"}));
  LAPSE_RETURN_IF_ERROR(CheckText(policy.AsDocument(), "conflictResolutionPath", kName));
  return CheckText(policy.AsDocument(), "conflictResolutionProcedure", kName);
}

Status CheckVectorEmbeddingPolicy(doc::Value policy) {
  constexpr std::string_view kName = "vectorEmbeddingPolicy";
  if (IsAbsent(policy)) return Status::Ok();
  LAPSE_RETURN_IF_ERROR(CheckObject(policy, kName));
  return ForEachEntry(policy.AsDocument(), "vectorEmbeddings", kName, [&](std::string_view entry) -> Status {
    LAPSE_RETURN_IF_ERROR(CheckPath(entry, kName));
    LAPSE_RETURN_IF_ERROR(
        CheckTextOf(doc::Find(entry, "dataType"), "dataType", kName, {"float32", "float16", "int8", "uint8"}));
    LAPSE_RETURN_IF_ERROR(CheckTextOf(doc::Find(entry, "distanceFunction"), "distanceFunction", kName,
                                      {"cosine", "euclidean", "dotproduct", "dotProduct"}));
    const doc::Value dimensions = doc::Find(entry, "dimensions");
    if (IsAbsent(dimensions)) return Status::Ok();
    const int64_t number = dimensions.AsWholeNumber().value_or(0);
    return number >= 1 && number <= kDimensionsMax ? Status::Ok()
                                                   : Wrong("dimensions", kName, "a whole number from 1 to 4096");
  });
}

Status CheckFullTextPolicy(doc::Value policy) {
  constexpr std::string_view kName = "fullTextPolicy";
  if (IsAbsent(policy)) return Status::Ok();
  LAPSE_RETURN_IF_ERROR(CheckObject(policy, kName));
  LAPSE_RETURN_IF_ERROR(CheckText(policy.AsDocument(), "defaultLanguage", kName));
  return ForEachEntry(policy.AsDocument(), "fullTextPaths", kName, [&](std::string_view entry) -> Status {
    LAPSE_RETURN_IF_ERROR(CheckPath(entry, kName));
    return CheckText(entry, "language", kName);
  });
}

}  // namespace lapse::api::cosmos
