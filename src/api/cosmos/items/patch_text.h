// The words of errors about patches, as clients know them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "doc/path.h"

namespace lapse::api::cosmos {

constexpr size_t kPatchOperationsMax = 10;

// A request that is wrong; `text` is a sentence.
Status WrongPatch(std::string_view text);
// The same for the operation at a place in the list, counted from 0; clients count from 1.
Status WrongPatchOperation(size_t at, std::string_view text);

// `Invalid patch request: check syntax of patch specification.`, and what is wrong with it.
std::string BadPatchSyntax(std::string_view what);

// `Node(/a/b)`, cut where it is long.
std::string PatchNode(const doc::Path& path);

}  // namespace lapse::api::cosmos
