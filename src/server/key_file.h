// A file that holds one key.
#pragma once

#include <string>

#include "base/status.h"

namespace lapse::server {

// Returns the key without surrounding blanks and line ends. Fails: kInvalidArgument if the file cannot be read, is
// empty, has more than one line, or exceeds 4 KB. The message names the file but shows nothing of its contents.
Result<std::string> ReadKeyFile(const std::string& path);

}  // namespace lapse::server
