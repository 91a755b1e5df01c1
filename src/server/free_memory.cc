#include "server/free_memory.h"

#ifdef LAPSE_TCMALLOC
#include <gperftools/malloc_extension.h>
#else
#include <malloc.h>
#endif

#include <cstdint>

#include "base/log.h"
#include "server/server_metrics.h"

namespace lapse::server {

void GiveFreeMemoryBack() {
  const int64_t before_bytes = ResidentBytes();
#ifdef LAPSE_TCMALLOC
  MallocExtension::instance()->ReleaseFreeMemory();
#else
  malloc_trim(0);
#endif
  Log(LogLevel::kDebug, "memory_given_back", {{"resident_before", before_bytes}, {"resident", ResidentBytes()}});
}

}  // namespace lapse::server
