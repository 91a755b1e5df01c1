#include "server/key_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "server/usage_text.h"

namespace lapse::server {
namespace {

constexpr size_t kKeyFileMax_bytes = 4096;
constexpr std::string_view kBlanksAroundKey = " \t\r\n";

}  // namespace

Result<std::string> ReadKeyFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kKeyFileMax_bytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  // A read that comes to the end of the file fails too.
  if (!file.eof() && !file) return WrongUsage("cannot read the key file " + path + ": " + std::strerror(errno));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kKeyFileMax_bytes) return WrongUsage("the key file " + path + " is larger than 4 KB");
  const size_t begin = text.find_first_not_of(kBlanksAroundKey);
  if (begin == std::string::npos) return WrongUsage("the key file " + path + " is empty");
  std::string key = text.substr(begin, text.find_last_not_of(kBlanksAroundKey) - begin + 1);
  if (key.find_first_of(kBlanksAroundKey) != std::string::npos) {
    return WrongUsage("the key file " + path + " holds more than one key");
  }
  return key;
}

}  // namespace lapse::server
