#include "api/cosmos/items/patch_text.h"

#include "api/cosmos/wire/sent_json.h"

namespace lapse::api::cosmos {

Status WrongPatch(std::string_view text) {
  return {Code::kInvalidArgument, std::string(text).append(" Learn more: https://aka.ms/cosmosdbpatchdocs")};
}

Status WrongPatchOperation(size_t at, std::string_view text) {
  return WrongPatch("For Operation(" + std::to_string(at + 1) + "): " + std::string(text));
}

std::string BadPatchSyntax(std::string_view what) {
  return std::string("Invalid patch request: check syntax of patch specification. ").append(what);
}

std::string PatchNode(const doc::Path& path) {
  return "Node(" + Shortened(path.ToPointer()) + ")";
}

}  // namespace lapse::api::cosmos
