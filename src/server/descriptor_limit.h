// The limit on open files and connections of the process.
#pragma once

namespace lapse::server {

// Raises the soft limit to the hard limit, because tables and connections together need more than the 1024 that shells
// set. Logs it at debug level. If the system refuses, logs a warning and keeps the limit.
void RaiseDescriptorLimit();

}  // namespace lapse::server
