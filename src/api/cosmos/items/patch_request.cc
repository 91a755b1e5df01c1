#include "api/cosmos/items/patch_request.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/items/patch_condition.h"
#include "api/cosmos/items/patch_rules.h"
#include "api/cosmos/items/patch_text.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/sent_json.h"
#include "api/cosmos/wire/system_properties.h"
#include "doc/edit.h"
#include "doc/json.h"
#include "doc/path.h"

namespace lapse::api::cosmos {
namespace {

// A value is nested in the body, the list of operations and its operation.
constexpr int kAroundValue = 3;
constexpr doc::JsonLimits kBodyLimits{.depth_max = kItemDepthMax + kAroundValue, .bytes_max = 4 * 1024 * 1024};
// The limit of an item applies to its JSON. No BSON within that limit is larger than this.
constexpr doc::EditLimits kEditLimits{.depth_max = kItemDepthMax, .bytes_max = 16 * 1024 * 1024};

std::optional<doc::Edit::Kind> KindOf(doc::Value op) {
  if (op.type() != doc::Type::kString) return std::nullopt;
  const std::string_view name = op.AsString();
  if (name == "add") return doc::Edit::Kind::kAdd;
  if (name == "set") return doc::Edit::Kind::kSet;
  if (name == "replace") return doc::Edit::Kind::kReplace;
  if (name == "remove") return doc::Edit::Kind::kRemove;
  if (name == "incr") return doc::Edit::Kind::kIncrement;
  if (name == "move") return doc::Edit::Kind::kMove;
  return std::nullopt;
}

// One operation of the list. Its functions fail with a text about that operation.
class OperationReader {
 public:
  OperationReader(size_t at, const engine::PartitionKeyDefinition& partition_key)
      : at_(at), partition_key_(partition_key) {}

  Result<doc::Edit> Read(doc::Value operation) const {
    if (operation.type() != doc::Type::kObject) return Malformed("An operation must be an object.");
    const std::string_view members = operation.AsDocument();
    doc::Edit edit;
    const std::optional<doc::Edit::Kind> kind = KindOf(doc::Find(members, "op"));
    if (!kind.has_value()) return Malformed("'op' must be 'add', 'set', 'replace', 'remove', 'incr' or 'move'.");
    edit.kind = *kind;
    LAPSE_ASSIGN_OR_RETURN(edit.path, ReadPath(members, "path"));
    if (edit.kind == doc::Edit::Kind::kRemove) return edit;
    if (edit.kind == doc::Edit::Kind::kMove) {
      LAPSE_ASSIGN_OR_RETURN(edit.from, ReadPath(members, "from"));
      if (edit.path.IsWithin(edit.from)) return Malformed("'path' must not be 'from' or lie within it.");
      return edit;
    }
    const doc::Value value = doc::Find(members, "value");
    if (value.missing()) return Malformed("'value' is missing.");
    if (edit.kind == doc::Edit::Kind::kIncrement && !value.IsNumber())
      return Malformed("'value' of 'incr' must be a number.");
    edit.value = doc::OwnedValue(value);
    return edit;
  }

 private:
  Status Malformed(std::string_view what) const { return WrongPatchOperation(at_, BadPatchSyntax(what)); }

  Result<doc::Path> ReadPath(std::string_view members, std::string_view name) const {
    const std::string quoted = "'" + std::string(name) + "'";
    const doc::Value text = doc::Find(members, name);
    if (text.type() != doc::Type::kString) return Malformed(quoted + " must be a string.");
    Result<doc::Path> path = doc::Path::FromPointer(text.AsString(), kItemDepthMax);
    if (!path.ok()) return Malformed(quoted + " is wrong: " + path.status().message() + ".");
    if (text.AsString().empty() || text.AsString() == "/") return Malformed(quoted + " must name a property.");
    if (IsProtected(*path)) {
      return WrongPatchOperation(
          at_, "Invalid patch request: Cannot patch system property " + Shortened(path->ToPointer()) + ".");
    }
    return path;
  }

  // A value above a path of the key contains it, and a value below is a part of it.
  bool IsProtected(const doc::Path& path) const {
    const std::string& top = path.names().front();
    if (top == "id" || IsItemSystemName(top)) return true;
    return std::any_of(partition_key_.paths.begin(), partition_key_.paths.end(),
                       [&](const doc::Path& key) { return path.IsWithin(key) || key.IsWithin(path); });
  }

  const size_t at_;
  const engine::PartitionKeyDefinition& partition_key_;
};

Result<std::shared_ptr<const engine::ItemCondition>> ConditionOf(doc::Value patch, const ItemsOwner& owner) {
  if (patch.type() != doc::Type::kObject) return std::shared_ptr<const engine::ItemCondition>();
  const doc::Value condition = doc::Find(patch.AsDocument(), "condition");
  if (condition.missing()) return std::shared_ptr<const engine::ItemCondition>();
  if (condition.type() != doc::Type::kString) return WrongPatch(BadPatchSyntax("'condition' must be a string."));
  return PatchCondition::Parse(condition.AsString(), owner);
}

// Returns the list of operations.
Result<std::string_view> OperationsOf(doc::Value patch) {
  if (patch.type() == doc::Type::kObject) {
    patch = doc::Find(patch.AsDocument(), "operations");
  }
  if (patch.type() != doc::Type::kArray) return WrongPatch(BadPatchSyntax("'operations' must be an array."));
  return patch.AsDocument();
}

}  // namespace

Result<engine::ItemPatch> PatchFromValue(doc::Value patch, const engine::PartitionKeyDefinition& partition_key,
                                         const ItemsOwner& owner) {
  LAPSE_ASSIGN_OR_RETURN(std::shared_ptr<const engine::ItemCondition> condition, ConditionOf(patch, owner));
  LAPSE_ASSIGN_OR_RETURN(const std::string_view operations, OperationsOf(patch));
  size_t count = 0;
  for (doc::Reader counting(operations); counting.Next();) {
    if (++count > kPatchOperationsMax) {
      return WrongPatch("The number of patch operations cannot exceed " + std::to_string(kPatchOperationsMax) + ".");
    }
  }
  if (count == 0) return WrongPatch(BadPatchSyntax("There must be one operation at least."));
  engine::ItemPatch read{
      .edits = {}, .limits = kEditLimits, .rules = &ItemPatchRules(), .condition = std::move(condition)};
  read.edits.reserve(count);
  doc::Reader reader(operations);
  while (auto element = reader.Next()) {
    LAPSE_ASSIGN_OR_RETURN(doc::Edit edit, OperationReader(read.edits.size(), partition_key).Read(element->value));
    read.edits.push_back(std::move(edit));
  }
  return read;
}

Result<engine::ItemPatch> ReadPatch(std::string_view body, const engine::PartitionKeyDefinition& partition_key,
                                    const ItemsOwner& owner) {
  const size_t begin = body.find_first_not_of(" \t\r\n");
  const bool is_array = begin != std::string_view::npos && body[begin] == '[';
  std::string bson;
  const Status parsed =
      is_array ? doc::JsonArrayToBson(body, kBodyLimits, &bson) : doc::JsonToBson(body, kBodyLimits, &bson);
  if (parsed.code() == Code::kTooLarge) {
    return Status(Code::kTooLarge, "Request size is too large. A patch may have 4 MB.");
  }
  if (!parsed.ok()) return WrongPatch(BadPatchSyntax(parsed.message() + "."));
  return PatchFromValue(doc::Value(is_array ? doc::Type::kArray : doc::Type::kObject, bson), partition_key, owner);
}

}  // namespace lapse::api::cosmos
