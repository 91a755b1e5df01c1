#include "server/key_file.h"

#include <string_view>

#include "base/small_file.h"
#include "server/usage_text.h"

namespace lapse::server {
namespace {

constexpr size_t kKeyFileMax_bytes = 4096;
constexpr std::string_view kBlanksAroundKey = " \t\r\n";

}  // namespace

Result<std::string> ReadKeyFile(const std::string& path) {
  Result<std::string> file = ReadSmallFile(path, kKeyFileMax_bytes, "the key file");
  if (!file.ok()) return WrongUsage(file.status().message());
  const std::string_view text = *file;
  const size_t begin = text.find_first_not_of(kBlanksAroundKey);
  if (begin == std::string_view::npos) return WrongUsage("the key file " + path + " is empty");
  std::string key(text.substr(begin, text.find_last_not_of(kBlanksAroundKey) - begin + 1));
  if (key.find_first_of(kBlanksAroundKey) != std::string::npos) {
    return WrongUsage("the key file " + path + " holds more than one key");
  }
  return key;
}

}  // namespace lapse::server
