# One folder, one library, one test program: lapse_layer(doc USES base LIBRARIES simdjson) makes lapse_doc from
# src/doc/**.cc and, from src/doc/**_test.cc, lapse_doc_test. The folder may include only the layers it USES; which of
# its rooms (subfolders) may include which is in tools/rooms. tools/check-layers reads these same calls and that table,
# and checks the includes before a layer is compiled.

if(LAPSE_BUILD_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
endif()

# Everything that people run: lapsed, lapse.
add_custom_target(programs)

# One ctest entry per program: a process for each of a thousand cases would take longer than the cases. Sanitizers slow
# them down.
function(lapse_add_test name)
  # What a sanitizer finds is never tried a second time.
  if(LAPSE_SANITIZE)
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800)
  else()
    add_test(NAME ${name} COMMAND ${CMAKE_SOURCE_DIR}/tools/twice ${name} $<TARGET_FILE:${name}>
             WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 400)
  endif()
endfunction()

# src/server/lapsed_main.cc becomes the program `lapsed` in the build folder itself.
function(lapse_add_program source)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  string(REGEX REPLACE "_main$" "" name ${name})
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  add_dependencies(programs ${name})
endfunction()

# Runs again only when a source of the layer, or the rules, changed.
function(lapse_check_layer name)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.h)
  set(stamp ${CMAKE_BINARY_DIR}/checked/${name})
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${CMAKE_SOURCE_DIR}/tools/check-layers --layer ${name} ${CMAKE_SOURCE_DIR}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${ARGN} ${headers} ${CMAKE_SOURCE_DIR}/CMakeLists.txt ${CMAKE_SOURCE_DIR}/tools/check-layers
            ${CMAKE_SOURCE_DIR}/tools/rooms
    COMMENT "Checking the includes of src/${name}")
  add_custom_target(lapse_${name}_includes ALL DEPENDS ${stamp})
endfunction()

# The sources of a room (a folder) are compiled as one, since most of a compiler's time goes into headers that they
# share: a fifth of the time. So what stands in unnamed namespaces of a room must not clash, and neither must macros.
# The preset `lint` looks at every source alone, which proves that each includes what it uses.
function(lapse_compile_by_room target)
  if(NOT LAPSE_BY_ROOM)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    get_filename_component(room ${source} DIRECTORY)
    file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR} ${room})
    string(MAKE_C_IDENTIFIER ${room} room)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()

function(lapse_layer name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  lapse_check_layer(${name} ${sources})

  set(tests ${sources})
  set(programs ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER programs INCLUDE REGEX "_main\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|_main|_fuzz)\\.cc$")
  list(TRANSFORM ARG_USES PREPEND lapse_ OUTPUT_VARIABLE uses)

  if(sources)
    add_library(lapse_${name} STATIC ${sources})
    lapse_compile_by_room(lapse_${name} ${sources})
    target_include_directories(lapse_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(lapse_${name} PUBLIC ${uses} PRIVATE ${ARG_LIBRARIES})
  else()
    add_library(lapse_${name} INTERFACE)
    target_include_directories(lapse_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(lapse_${name} INTERFACE ${uses} ${ARG_LIBRARIES})
  endif()
  add_dependencies(lapse_${name} lapse_${name}_includes)
  set_property(GLOBAL APPEND PROPERTY LAPSE_LAYERS lapse_${name})

  if(LAPSE_BUILD_TESTS AND tests)
    add_executable(lapse_${name}_test ${tests})
    lapse_compile_by_room(lapse_${name}_test ${tests})
    target_link_libraries(lapse_${name}_test PRIVATE lapse_${name} ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
    # The sources of tests are most of what is compiled, and the optimizer takes half of that time and more. What is
    # tested is optimized.
    target_compile_options(lapse_${name}_test PRIVATE -O0)
    lapse_add_test(lapse_${name}_test)
  endif()

  foreach(program ${programs})
    lapse_add_program(${program} LIBRARIES lapse_${name} ${ARG_LIBRARIES})
  endforeach()

  if(LAPSE_BUILD_FUZZ)
    foreach(fuzzer ${fuzzers})
      lapse_add_fuzzer(${fuzzer} LIBRARIES lapse_${name} ${ARG_LIBRARIES})
    endforeach()
  endif()
endfunction()
