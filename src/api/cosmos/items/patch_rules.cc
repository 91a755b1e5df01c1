#include "api/cosmos/items/patch_rules.h"

#include <algorithm>
#include <string>

#include "api/cosmos/containers/definition/ttl_property.h"
#include "api/cosmos/items/patch_text.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/sent_json.h"
#include "doc/json.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

using doc::Edit;
using doc::EditError;

// Whether an earlier edit removed the target of this one.
bool WasRemovedBefore(const std::vector<Edit>& edits, size_t at) {
  return std::any_of(edits.begin(), edits.begin() + static_cast<ptrdiff_t>(at), [&](const Edit& before) {
    if (before.kind == Edit::Kind::kRemove) return edits[at].path.IsWithin(before.path);
    return before.kind == Edit::Kind::kMove && edits[at].path.IsWithin(before.from);
  });
}

std::string NoTarget(const std::vector<Edit>& edits, size_t at) {
  const Edit& edit = edits[at];
  if (edit.kind == Edit::Kind::kMove) return PatchNode(edit.from) + " to be moved is absent.";
  if (edit.kind == Edit::Kind::kRemove) {
    return PatchNode(edit.path) +
           " to be removed is absent. Note: it may also have been removed earlier in the transaction.";
  }
  return PatchNode(edit.path) + (WasRemovedBefore(edits, at)
                                     ? " to be replaced has been removed earlier in the transaction."
                                     : " to be replaced is absent.");
}

std::string NoParent(const Edit& edit, const std::string& name) {
  return std::string(edit.kind == Edit::Kind::kAdd ? "Add" : "Given") +
         " Operation can only create a child object of an existing node(array or object) and cannot create path "
         "recursively, no path found beyond: '" +
         Shortened(name) + "'.";
}

std::string TextOf(const std::vector<Edit>& edits, const EditError& error) {
  const Edit& edit = edits[error.edit];
  switch (error.kind) {
    case EditError::Kind::kNoParent: return NoParent(edit, error.name);
    case EditError::Kind::kNoTarget: return NoTarget(edits, error.edit);
    case EditError::Kind::kOutOfBounds:
      return "Index(" + Shortened(error.name) + ") to operate on is out of array bounds.";
    case EditError::Kind::kNotANumber: return PatchNode(edit.path) + " is not a number.";
    case EditError::Kind::kNotFinite: return PatchNode(edit.path) + " would be beyond the range of a number.";
    case EditError::Kind::kNotAnIndex:
      return BadPatchSyntax("'" + Shortened(error.name) + "' is not an index of an array.");
    case EditError::Kind::kTooDeep:
      return "Objects and arrays would be nested deeper than " + std::to_string(kItemDepthMax) + ".";
    // Requests with these are refused earlier.
    case EditError::Kind::kNoPath:
    case EditError::Kind::kBadName:
    case EditError::Kind::kNoValue:
    case EditError::Kind::kIntoItself:
    case EditError::Kind::kTooLarge: break;
  }
  return BadPatchSyntax("The operation is wrong.");
}

// Measured as JSON, which is how clients measure an item.
bool IsTooLarge(std::string_view document) {
  // No JSON value grows by more than this when it is printed: a control character becomes \u0001.
  constexpr size_t kGrowthMax = 6;
  if (document.size() <= kItemBytesMax / kGrowthMax) return false;
  std::string json;
  doc::ObjectToJson(document, &json);
  return json.size() > kItemBytesMax;
}

class Rules : public engine::PatchRules {
 public:
  Status Explain(const std::vector<Edit>& edits, const EditError& error) const override {
    if (error.kind == EditError::Kind::kTooLarge) return ItemTooLarge();
    return WrongPatchOperation(error.edit, TextOf(edits, error));
  }

  Result<std::optional<int32_t>> OwnTtlOf(std::string_view document) const override {
    if (IsTooLarge(document)) return ItemTooLarge();
    return ItemTtl(doc::Find(document, kTtlProperty), {});
  }
};

}  // namespace

const engine::PatchRules& ItemPatchRules() {
  static const Rules kRules;
  return kRules;
}

}  // namespace lapse::api::cosmos
