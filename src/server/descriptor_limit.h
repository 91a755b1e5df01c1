// How many files and connections the process may have open.
#pragma once

namespace lapse::server {

// Raises the soft limit to the hard one: tables and connections together need more than the 1024 that shells give. Says
// so at debug level; a system that does not allow it gets a warning, and the server goes on with what it has.
void RaiseDescriptorLimit();

}  // namespace lapse::server
