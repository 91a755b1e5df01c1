// What the allocator holds although nobody uses it.
#pragma once

namespace lapse::server {

// Gives it back to the system. Walks through the heap and calls the kernel: not for a thread that others wait for.
void GiveFreeMemoryBack();

}  // namespace lapse::server
