// `lapse check`: checks everything in a data directory that no server has open.
#pragma once

#include <string>

#include "server/client/session.h"

namespace lapse::server::client {

// Prints what it checked and what is wrong, without changing the data. Returns the exit code: kDone if all is well,
// kFailed if something is wrong or the directory cannot be read.
int CheckDirectory(const std::string& data_dir, Session* session);

}  // namespace lapse::server::client
