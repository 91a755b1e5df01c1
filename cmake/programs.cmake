# What is built across the layers: integration tests, benchmarks, fuzzers, and the tests of our own tools.

# src/doc/json_fuzz.cc becomes fuzz/json_fuzz in the build folder; tools/fuzz runs them.
function(lapse_add_fuzzer source)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endfunction()

# tests/**.cc, all of it one program: what needs several layers, or the running server, whose path is in $LAPSED.
function(lapse_integration_tests)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*.cc)
  list(FILTER sources EXCLUDE REGEX "/node_modules/|/.venv/|_main\\.cc$")
  if(NOT sources)
    return()
  endif()
  get_property(layers GLOBAL PROPERTY LAPSE_LAYERS)
  add_executable(lapse_integration_test ${sources})
  lapse_compile_by_room(lapse_integration_test ${sources})
  target_include_directories(lapse_integration_test PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(lapse_integration_test PRIVATE ${layers} ${ARGN} GTest::gmock GTest::gtest_main)
  lapse_add_test(lapse_integration_test)
  if(TARGET lapsed)
    add_dependencies(lapse_integration_test lapsed)
    set(environment LAPSED=$<TARGET_FILE:lapsed>)
    # Its clients wait for answers as long as a server needs that is not slowed down.
    if(LAPSE_SANITIZE)
      list(APPEND environment "GTEST_FILTER=-*LinearizabilityTest.*")
    endif()
    set_tests_properties(lapse_integration_test PROPERTIES ENVIRONMENT "${environment}")
  endif()
endfunction()

# bench/x_bench.cc and bench/load.cc become bench/x_bench and bench/load in the build folder, each a program of its own;
# tools/bench runs those named *_bench. What is in folders of bench/ is for all of them. Not part of `all`: `--target
# benchmarks`.
function(lapse_benchmarks)
  find_package(benchmark REQUIRED)
  find_package(bson-1.0 REQUIRED)
  get_property(layers GLOBAL PROPERTY LAPSE_LAYERS)
  add_custom_target(benchmarks)
  file(GLOB parts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*/*.cc)
  add_library(bench_parts STATIC EXCLUDE_FROM_ALL ${parts})
  target_include_directories(bench_parts PUBLIC ${CMAKE_SOURCE_DIR})
  # The products that queries are compared with.
  find_package(SQLite3 REQUIRED)
  find_package(PostgreSQL REQUIRED)
  target_include_directories(bench_parts PRIVATE ${PostgreSQL_INCLUDE_DIRS} ${SQLite3_INCLUDE_DIRS})
  target_link_libraries(bench_parts PUBLIC ${layers} ${PostgreSQL_LIBRARIES} ${SQLite3_LIBRARIES})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*.cc)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(bench_${name} PRIVATE bench_parts ${ARGN} benchmark::benchmark)
    set_target_properties(bench_${name} PROPERTIES OUTPUT_NAME ${name}
                                                   RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
    add_dependencies(benchmarks bench_${name})
  endforeach()
  target_link_libraries(bench_bson_bench PRIVATE mongo::bson_shared)
endfunction()

# tidy looks at the tree as it is; the others prove on a tree of their own that the checks can fail.
function(lapse_tool_tests)
  add_test(NAME tidy COMMAND ${CMAKE_SOURCE_DIR}/tools/tidy)
  file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/tools/*_test.sh)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    add_test(NAME ${name} COMMAND ${script} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endforeach()
endfunction()
