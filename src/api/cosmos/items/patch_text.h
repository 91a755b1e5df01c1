// The error messages about patches that clients know.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "doc/path.h"

namespace lapse::api::cosmos {

constexpr size_t kPatchOperationsMax = 10;

// The error of an invalid request. `text` is a sentence.
Status WrongPatch(std::string_view text);
// The same for the operation at a position in the list, counted from 0, while clients count from 1.
Status WrongPatchOperation(size_t at, std::string_view text);

// Returns `Invalid patch request: check syntax of patch specification.`, followed by what is wrong.
std::string BadPatchSyntax(std::string_view what);

// Returns `Node(/a/b)`, and cuts a long path.
std::string PatchNode(const doc::Path& path);

}  // namespace lapse::api::cosmos
