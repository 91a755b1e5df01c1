// The configuration file: one `name = value` per line.
//
// A value extends to the end of the line, or is in quotes, single or double, if it has blanks at its ends or contains a
// '#'. A '#' begins a comment. A line that begins with ';' is a comment, too. Empty lines are ignored.
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

// "FILE line 3": how messages refer to a line.
std::string PlaceInFile(std::string_view path, int line);

// Fails: kInvalidArgument, naming the file and the line, if a line is malformed, has no name, has an unterminated quote
// or text after a quote, or repeats a name. The message contains nothing that could be a key.
Result<std::vector<ConfigLine>> ParseConfig(std::string_view path, std::string_view text);

// Fails likewise, and if the file cannot be read or exceeds 1 MB.
Result<std::vector<ConfigLine>> ReadConfigFile(const std::string& path);

}  // namespace lapse::server
