// The web page that is built into this program.
#pragma once

#include "api/explorer/explorer_file.h"

namespace lapse::api::explorer {

// Returns no files if the program was built without the page. tools/embed-explorer generates this function from the
// folder that cmake/explorer.cmake names.
ExplorerFiles EmbeddedExplorer();

}  // namespace lapse::api::explorer
