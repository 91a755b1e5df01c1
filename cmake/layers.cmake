# One folder, one library, one test program: lapse_layer(doc USES base LIBRARIES simdjson) makes lapse_doc from
# src/doc/**.cc and, from src/doc/**_test.cc, lapse_doc_test. The folder may include only the layers it USES.

if(LAPSE_BUILD_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

function(lapse_layer name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  set(tests ${sources})
  set(programs ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER programs INCLUDE REGEX "_main\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|_main|_fuzz)\\.cc$")

  set(uses "")
  foreach(layer ${ARG_USES})
    list(APPEND uses lapse_${layer})
  endforeach()

  if(sources)
    add_library(lapse_${name} STATIC ${sources})
    target_include_directories(lapse_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(lapse_${name} PUBLIC ${uses} PRIVATE ${ARG_LIBRARIES})
  else()
    add_library(lapse_${name} INTERFACE)
    target_include_directories(lapse_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(lapse_${name} INTERFACE ${uses} ${ARG_LIBRARIES})
  endif()

  if(LAPSE_BUILD_TESTS AND tests)
    add_executable(lapse_${name}_test ${tests})
    target_link_libraries(lapse_${name}_test PRIVATE lapse_${name} ${ARG_LIBRARIES} GTest::gtest GTest::gmock GTest::gtest_main)
    gtest_discover_tests(lapse_${name}_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DISCOVERY_TIMEOUT 60)
  endif()

  # src/server/lapsed_main.cc becomes the program `lapsed` in the build folder itself.
  foreach(program ${programs})
    get_filename_component(program_name ${program} NAME_WE)
    string(REGEX REPLACE "_main$" "" program_name ${program_name})
    add_executable(${program_name} ${program})
    target_link_libraries(${program_name} PRIVATE lapse_${name} ${ARG_LIBRARIES})
    set_target_properties(${program_name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  endforeach()
endfunction()
