// Reads and durably writes small files as a whole. After a crash a file has either its old or its new content.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse {

// Replaces the file `name` in `directory`. On success the file is on stable storage and readable by its owner alone. A
// crash may leave a file `<name>.tmp` behind.
// Fails: kNoSpace, kNotFound without the directory, else kUnavailable.
Status WriteDurably(const std::string& directory, const std::string& name, std::string_view content);

// `what` names the file in errors ("the key file"). Never allocates more than `bytes_max`.
// Fails: kNotFound without a file, kTooLarge for more than `bytes_max`, else kUnavailable.
Result<std::string> ReadSmallFile(const std::string& path, size_t bytes_max, std::string_view what = "");

// Makes creations, renames and deletions in the directory durable.
Status SyncDirectory(const std::string& path);

}  // namespace lapse
