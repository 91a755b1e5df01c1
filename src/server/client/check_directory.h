// `lapse check`: looks at everything in a data directory that no server has open.
#pragma once

#include <string>

#include "server/client/session.h"

namespace lapse::server::client {

// Prints what was looked at and what is wrong. Changes nothing of the data. Returns the exit code: kDone when all is
// well, kFailed when something is wrong or the directory cannot be read.
int CheckDirectory(const std::string& data_dir, Session* session);

}  // namespace lapse::server::client
