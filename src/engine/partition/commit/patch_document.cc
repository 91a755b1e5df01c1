#include "engine/partition/commit/patch_document.h"

#include "doc/path.h"
#include "doc/value.h"

namespace lapse::engine {
namespace {

// Returns true if both documents have the same partition key. An API rejects patches of the key's paths by name. But a
// path through an array can still change its value, when another element is added or removed.
bool KeepsKey(const PartitionKeyDefinition& key, std::string_view before, std::string_view after) {
  for (const doc::Path& path : key.paths) {
    const doc::Value old_value = doc::FindPath(before, path);
    const doc::Value new_value = doc::FindPath(after, path);
    if (old_value.type() != new_value.type() || old_value.raw() != new_value.raw()) return false;
  }
  return true;
}

}  // namespace

Result<PatchedDocument> PatchDocument(const ItemPatch& patch, const PartitionKeyDefinition& key,
                                      std::string_view before) {
  PatchedDocument patched;
  if (auto error = doc::ApplyEdits(before, patch.edits, patch.limits, &patched.document)) {
    return patch.rules->Explain(patch.edits, *error);
  }
  LAPSE_ASSIGN_OR_RETURN(patched.own_ttl, patch.rules->OwnTtlOf(patched.document));
  if (!KeepsKey(key, before, patched.document)) {
    return Status(Code::kInvalidArgument, "The partition key of an item cannot be changed by a patch.");
  }
  return patched;
}

}  // namespace lapse::engine
