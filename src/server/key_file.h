// A file that holds one key.
#pragma once

#include <string>

#include "base/status.h"

namespace lapse::server {

// The key without the blanks and line ends around it. Fails: kInvalidArgument when the file cannot be read, holds
// nothing, more than one line, or more than 4 KB. The message names the file and shows nothing of what is in it.
Result<std::string> ReadKeyFile(const std::string& path);

}  // namespace lapse::server
