// The file of options: one `name = value` per line.
//
// A value stands as it is up to the end of the line, or in quotes, single or double, when it has blanks at its ends
// or a '#'. What follows a '#' is a comment; so is a line that begins with ';'. Empty lines count for nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::server {

struct ConfigLine {
  std::string name;
  std::string value;
  int number = 0;  // of the line, from 1
};

// "FILE line 3": how messages name a place.
std::string PlaceInFile(std::string_view path, int line);

// Fails: kInvalidArgument, naming the file and the line that is none, has no name, has a quote without an end or text
// after it, or gives a name again. What could be a key is not part of the message.
Result<std::vector<ConfigLine>> ParseConfig(std::string_view path, std::string_view text);

// Fails in the same way, and when the file cannot be read or has more than 1 MB.
Result<std::vector<ConfigLine>> ReadConfigFile(const std::string& path);

}  // namespace lapse::server
