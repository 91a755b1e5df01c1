# A query makes some hundred and fifty small allocations, more than glibc keeps for a thread: docs/dependencies.md has
# what that costs. A part of each program, as RocksDB is; sanitizers bring an allocator of their own.
add_library(lapse_allocator INTERFACE)
if(NOT LAPSE_SANITIZE)
  find_library(LAPSE_TCMALLOC libtcmalloc_minimal.a REQUIRED)
  target_link_libraries(lapse_allocator INTERFACE ${LAPSE_TCMALLOC})
  target_compile_definitions(lapse_allocator INTERFACE LAPSE_TCMALLOC)
endif()
