// How much of the processor a thread gets when there is not enough for all.
#pragma once

namespace lapse {

// The calling thread is for work that nobody waits for: when requests compete with it, it gets a tenth of what their
// threads get. It stays so; may be called again.
void YieldToRequests();

}  // namespace lapse
