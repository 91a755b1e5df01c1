// RocksDB's file names.
#pragma once

#include <string_view>

namespace lapse::store {

constexpr std::string_view kCurrentName = "CURRENT";  // names the manifest in use

inline bool IsTable(std::string_view name) {
  return name.ends_with(".sst");
}
inline bool IsLog(std::string_view name) {
  return name.ends_with(".log");
}
inline bool IsManifest(std::string_view name) {
  return name.starts_with("MANIFEST-");
}

}  // namespace lapse::store
