// Small files that are there whole or not at all, whatever happens.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::store {

// Replaces the file `name` in `directory`. On success it is on stable storage; the owner
// alone may read it. A file `<name>.tmp` may be left behind
// by a crash.
Status WriteDurably(const std::string& directory, const std::string& name, std::string_view content);

// kNotFound when there is none, kTooLarge when there is more than `bytes_max`.
Result<std::string> ReadSmallFile(const std::string& path, size_t bytes_max);

// Makes creations, renames and deletions in the directory last.
Status SyncDirectory(const std::string& path);

}  // namespace lapse::store
