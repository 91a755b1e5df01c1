# RocksDB becomes a part of each program: calls into a shared library, and the thread-local counters there, took a tenth
# to a fifth of the time of queries (docs/dependencies.md). With sanitizers it stays shared, since cmake/tsan.supp names
# the library.
if(LAPSE_SANITIZE)
  find_library(LAPSE_ROCKSDB_SHARED rocksdb REQUIRED)
  set(LAPSE_ROCKSDB ${LAPSE_ROCKSDB_SHARED})
else()
  find_library(LAPSE_ROCKSDB_STATIC librocksdb.a REQUIRED)
  # What it is made with; its package brings all of them.
  set(LAPSE_ROCKSDB ${LAPSE_ROCKSDB_STATIC} snappy z bz2 lz4 zstd gflags ${CMAKE_DL_LIBS})
endif()
