# The Data Explorer: the files of a folder with a built web page, taken into a library (docs/design/explorer.md).

option(LAPSE_EXPLORER "Build the Data Explorer into the server" ON)
set(LAPSE_EXPLORER_DIR ${CMAKE_SOURCE_DIR}/web/dist CACHE PATH "The folder with the built page")

# lapse_embed_page(name folder function): the library `name`, whose `function` lists the files. An empty folder: none.
function(lapse_embed_page name folder function)
  set(tool ${CMAKE_SOURCE_DIR}/tools/embed-explorer)
  set(source ${CMAKE_BINARY_DIR}/explorer/${name}.cc)
  set(files)
  if(folder)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*)
  endif()
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${tool} "${folder}" ${source} ${function}
    DEPENDS ${tool} ${files}
    VERBATIM
    COMMENT "Embedding the page of ${name}")
  # The assembler reads the files themselves.
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
  add_library(${name} STATIC ${source})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src)
endfunction()

# What lapsed serves at /_explorer/.
function(lapse_explorer)
  set(folder "")
  if(LAPSE_EXPLORER)
    if(EXISTS ${LAPSE_EXPLORER_DIR}/index.html)
      set(folder ${LAPSE_EXPLORER_DIR})
    else()
      message(NOTICE "The Data Explorer is left out: ${LAPSE_EXPLORER_DIR} holds no built page (tools/build-explorer)")
    endif()
  endif()
  lapse_embed_page(lapse_explorer "${folder}" EmbeddedExplorer)
  target_link_libraries(lapse_server PUBLIC lapse_explorer)
endfunction()
