// What may be said about a command line that was not understood. It goes to terminals, logs and the output of CI jobs,
// and a key may stand in it: behind a misspelt option, or where nothing was expected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::server {

// Of a command line, or of a file that it names: kInvalidArgument.
Status WrongUsage(std::string message);

// The text in quotes, or words that stand for it when it could be a key.
std::string QuotedUnlessKey(std::string_view text);

// About arguments that no option takes, in any order. Where there are options among them these alone are named: the
// rest are their values.
std::string DescribeUnexpected(const std::vector<std::string>& arguments);

}  // namespace lapse::server
