// Small files, read whole and written durably: the new content is there whole or not at all, whatever happens.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse {

// Replaces the file `name` in `directory`. On success it is on stable storage, and its owner alone may read it. A crash
// may leave a file `<name>.tmp` behind.
// Fails: kNoSpace, kNotFound without the directory, else kUnavailable.
Status WriteDurably(const std::string& directory, const std::string& name, std::string_view content);

// `what` says in errors what the file is ("the key file"). Never allocates more than the file may have.
// Fails: kNotFound without a file, kTooLarge for more than `bytes_max`, else kUnavailable.
Result<std::string> ReadSmallFile(const std::string& path, size_t bytes_max, std::string_view what = "");

// Makes creations, renames and deletions in the directory last.
Status SyncDirectory(const std::string& path);

}  // namespace lapse
