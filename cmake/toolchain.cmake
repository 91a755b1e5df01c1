# Compiler, linker and sanitizer settings for every target of the project.
#
# No precompiled headers: they save a seventh of the time, where to compile rooms as one (layers.cmake) saves four
# fifths.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
                    -Werror -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict)  # gcc 12 at -O3 sees overlaps in std::string that are not there (its bug 105651)
endif()

find_program(LAPSE_CCACHE ccache)
if(LAPSE_CCACHE)
  # What was compiled in one checkout is found in every other, wherever it lies.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true ${LAPSE_CCACHE})
endif()

# mold links in a fraction of the time; both compilers know how to call it.
find_program(LAPSE_MOLD mold)
if(LAPSE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(LAPSE_BUILD_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "the fuzzers need clang: cmake --preset fuzz")
  endif()
  # Coverage for every layer; only the fuzzers themselves link libFuzzer's main.
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

if(LAPSE_SANITIZE)
  add_compile_options(-fsanitize=${LAPSE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${LAPSE_SANITIZE})
  if(LAPSE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Asio's fences, which gcc's ThreadSanitizer does not follow, would be errors.
    add_compile_options(-Wno-tsan)
  endif()
  if(LAPSE_SANITIZE MATCHES "undefined")
    # Debian's RocksDB is built without the type information that this one check needs.
    add_compile_options(-fno-sanitize=vptr)
  endif()
endif()
