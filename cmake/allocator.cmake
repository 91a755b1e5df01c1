# A query makes some hundred and fifty small allocations, more than glibc keeps for a thread: docs/dependencies.md has
# what that costs. A part of each program, as RocksDB is; sanitizers bring an allocator of their own.
if(LAPSE_SANITIZE)
  set(LAPSE_ALLOCATOR "")
else()
  find_library(LAPSE_TCMALLOC libtcmalloc_minimal.a REQUIRED)
  set(LAPSE_ALLOCATOR ${LAPSE_TCMALLOC})
  add_compile_definitions(LAPSE_TCMALLOC)
endif()
