#include "server/key_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

namespace lapse::server {
namespace {

constexpr size_t kFileMax_bytes = 4096;
constexpr std::string_view kBlanks = " \t\r\n";

Status Wrong(std::string message) {
  return {Code::kInvalidArgument, std::move(message)};
}

}  // namespace

Result<std::string> ReadKeyFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kFileMax_bytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  // A read that comes to the end of the file fails too.
  if (!file.eof() && !file) return Wrong("cannot read the key file " + path + ": " + std::strerror(errno));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kFileMax_bytes) return Wrong("the key file " + path + " is larger than 4 KB");
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return Wrong("the key file " + path + " is empty");
  std::string key = text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
  if (key.find_first_of(kBlanks) != std::string::npos) {
    return Wrong("the key file " + path + " holds more than one key");
  }
  return key;
}

}  // namespace lapse::server
