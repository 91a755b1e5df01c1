#include "api/cosmos/containers/definition/unique_key_policy.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/system_properties.h"
#include "api/invalid.h"
#include "doc/path.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kUniqueKeysMax = 10;
constexpr size_t kPathsOfKeyMax = 16;

// Names that stand for several paths: `*` and `?` as a whole name, `[]` as an element of any array.
bool IsWildcard(std::string_view name) {
  return name == "*" || name == "?" || name.starts_with("[]");
}

// Returns where the text stops being a path, or nullopt if it is one. Names may be quoted, and may then contain
// anything.
std::optional<size_t> BadPosition(std::string_view text) {
  if (text.empty() || text.front() != '/') return 0;
  size_t name = 1;
  bool quoted = false;
  for (size_t at = 1; at <= text.size(); ++at) {
    const bool end = at == text.size() || (text[at] == '/' && !quoted);
    if (!end) {
      if (text[at] == '\\' && quoted) {
        ++at;
      } else if (text[at] == '"' && (quoted || at == name)) {
        quoted = !quoted;
      }
      continue;
    }
    if (name == at || IsWildcard(text.substr(name, at - name))) return name;
    name = at + 1;
  }
  return doc::Path::FromSlashes(text).ok() ? std::nullopt : std::optional(text.size());
}

Result<doc::Path> ReadPath(doc::Value value) {
  if (value.type() != doc::Type::kString) return Invalid("A path of a unique key must be a string.");
  const std::string_view text = value.AsString();
  if (const std::optional<size_t> position = BadPosition(text)) {
    return Invalid(std::string("Error parsing the unique key path '")
                       .append(text)
                       .append("' at position ")
                       .append(std::to_string(*position))
                       .append(". Make sure the unique key path does not contain wildcards and invalid characters."));
  }
  Result<doc::Path> path = doc::Path::FromSlashes(text);
  if (path.ok() && IsItemSystemName(path->names().front())) {
    return Invalid("The unique key path '" + std::string(text) +
                   "' is not valid: it is a property that the system adds to items.");
  }
  return path;
}

Result<engine::UniqueKeysDefinition::Key> ReadKey(doc::Value value) {
  if (value.type() != doc::Type::kObject) return Invalid("A unique key must be an object with paths.");
  const doc::Value paths = doc::Find(value.AsDocument(), "paths");
  if (paths.type() != doc::Type::kArray) return Invalid("The paths of a unique key must be an array.");
  engine::UniqueKeysDefinition::Key key;
  doc::Reader reader(paths.AsDocument());
  while (const auto entry = reader.Next()) {
    if (key.paths.size() == kPathsOfKeyMax) return Invalid("A unique key may have 16 paths.");
    LAPSE_ASSIGN_OR_RETURN(doc::Path path, ReadPath(entry->value));
    if (std::find(key.paths.begin(), key.paths.end(), path) != key.paths.end()) {
      return Invalid(std::string("The unique key path '").append(entry->value.AsString()) +
                     "' is given more than once in a key.");
    }
    key.paths.push_back(std::move(path));
  }
  if (key.paths.empty()) return Invalid("A unique key needs at least one path.");
  return key;
}

}  // namespace

Result<engine::UniqueKeysDefinition> ReadUniqueKeyPolicy(doc::Value policy) {
  engine::UniqueKeysDefinition definition;
  if (IsAbsent(policy)) return definition;
  if (policy.type() != doc::Type::kObject) return Invalid("uniqueKeyPolicy must be an object.");
  const doc::Value keys = doc::Find(policy.AsDocument(), "uniqueKeys");
  if (IsAbsent(keys)) return definition;
  if (keys.type() != doc::Type::kArray) return Invalid("uniqueKeys must be an array.");
  doc::Reader reader(keys.AsDocument());
  while (const auto entry = reader.Next()) {
    if (definition.keys.size() == kUniqueKeysMax) return Invalid("A container may have 10 unique keys.");
    LAPSE_ASSIGN_OR_RETURN(engine::UniqueKeysDefinition::Key key, ReadKey(entry->value));
    definition.keys.push_back(std::move(key));
  }
  return definition;
}

}  // namespace lapse::api::cosmos
