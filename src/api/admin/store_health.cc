#include "api/admin/store_health.h"

#include <string>

namespace lapse::api::admin {

// Refused writes leave the server healthy: reads continue, and a restart would not free any space.
void AppendWriteHealth(const StoreHealth& store, doc::Writer* writer) {
  if (store.silent_ms > 0 || !store.writable) {
    writer->AppendString("writes", "unknown");
    writer->AppendString("reason", "the disk has not answered for " + std::to_string(store.silent_ms) + " ms");
    return;
  }
  writer->AppendString("writes", store.writable->ok() ? "ok" : "refused");
  if (!store.writable->ok()) writer->AppendString("reason", store.writable->message());
}

void AppendClockHealth(const engine::StoreClock& clock, doc::Writer* writer) {
  writer->BeginObject("clock");
  writer->AppendBool("held", clock.held());
  writer->AppendInteger("ahead_ms", clock.ahead_ms());
  writer->AppendBool("test", clock.test_clock());
  writer->AppendBool("frozen", clock.frozen());
  if (clock.held()) {
    writer->AppendString("detail",
                         "the wall clock jumped ahead and is not followed; 'lapse clock accept' if it is right");
  }
  writer->End();
}

}  // namespace lapse::api::admin
