// A thread's share of the processor when cores are short.
#pragma once

namespace lapse {

// Lowers the priority of the calling thread, for background work. When requests compete with it, it gets a tenth of the
// share of their threads. The change is permanent. May be called again.
void YieldToRequests();

}  // namespace lapse
