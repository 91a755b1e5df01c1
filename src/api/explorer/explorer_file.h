// A file of the Data Explorer, built into the program.
#pragma once

#include <span>
#include <string_view>

namespace lapse::api::explorer {

// The views point to read-only data of the program.
struct ExplorerFile {
  std::string_view path;  // below /_explorer/: "index.html", "assets/index-4f2a.js"
  std::string_view content_type;
  std::string_view hash;  // of the plain bytes, in hex
  std::string_view plain;
  std::string_view gzip;    // the same compressed; empty: not available
  std::string_view brotli;  // likewise
};

using ExplorerFiles = std::span<const ExplorerFile>;

}  // namespace lapse::api::explorer
