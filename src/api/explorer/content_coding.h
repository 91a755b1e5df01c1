// Chooses the encoding of a file that is available in several.
#pragma once

#include <string_view>

#include "api/explorer/explorer_file.h"
#include "net/http.h"

namespace lapse::api::explorer {

struct CodedFile {
  std::string_view coding;       // of Content-Encoding; empty: plain
  std::string_view etag_suffix;  // different bytes need different ETags
  std::string_view bytes;
};

// Chooses Brotli if the client accepts it and it is available, else gzip, else plain. `q=0` refuses an encoding. `*`
// stands for all that are not named.
CodedFile ChooseCoding(const net::Request& request, const ExplorerFile& file);

}  // namespace lapse::api::explorer
