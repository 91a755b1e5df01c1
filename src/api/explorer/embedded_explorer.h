// The page that is built into this program.
#pragma once

#include "api/explorer/explorer_file.h"

namespace lapse::api::explorer {

// No files when the program was built without the page. tools/embed-explorer writes this function, cmake/explorer.cmake
// says from which folder.
ExplorerFiles EmbeddedExplorer();

}  // namespace lapse::api::explorer
