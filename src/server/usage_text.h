// Error messages about a command line, safe to print. They go to terminals, logs and the output of CI jobs, and the
// command line may contain a key: after a misspelt option, or where no argument was expected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::server {

// The error of a command line, or of a file that it names: kInvalidArgument.
Status WrongUsage(std::string message);

// Returns the text in quotes, or a placeholder if it could be a key.
std::string QuotedUnlessKey(std::string_view text);

// Describes arguments that no option takes, in any order. If there are options among them, names these alone: the rest
// are their values.
std::string DescribeUnexpected(const std::vector<std::string>& arguments);

}  // namespace lapse::server
