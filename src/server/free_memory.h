// Memory that the allocator holds but the program does not use.
#pragma once

namespace lapse::server {

// Returns it to the system. Walks the heap and calls the kernel, so do not call it on a thread that requests wait for.
void GiveFreeMemoryBack();

}  // namespace lapse::server
