# Compiler, linker and sanitizer settings for every target of the project.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
                    -Werror -fno-omit-frame-pointer)

find_program(LAPSE_CCACHE ccache)
if(LAPSE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LAPSE_CCACHE})
endif()

# mold links in a fraction of the time; both compilers know how to call it.
find_program(LAPSE_MOLD mold)
if(LAPSE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(LAPSE_SANITIZE)
  add_compile_options(-fsanitize=${LAPSE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${LAPSE_SANITIZE})
  if(LAPSE_SANITIZE MATCHES "undefined")
    # Debian's RocksDB is built without the type information that this one check needs.
    add_compile_options(-fno-sanitize=vptr)
  endif()
endif()
