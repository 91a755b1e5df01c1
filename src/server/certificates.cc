#include "server/certificates.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "net/http_server.h"

namespace lapse::server {
namespace {

// Certificate chains are a few kilobytes: a larger file was named by mistake.
constexpr std::uintmax_t kPemMax_bytes = 1 << 20;

Result<std::string> ReadFile(const std::string& path) {
  std::error_code error;
  std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return Status(Code::kInvalidArgument, "cannot read " + path + ": " + error.message());
  if (size > kPemMax_bytes) return Status(Code::kInvalidArgument, path + " is too large for a PEM file");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return Status(Code::kInvalidArgument, "cannot read " + path);
  return text;
}

// Whole or not at all, and from the first byte readable by the owner alone.
Status WriteFile(const std::string& path, std::string_view text) {
  std::string unfinished = path + ".tmp";
  auto fail = [&] { return Status(Code::kInvalidArgument, "cannot write " + path + ": " + std::strerror(errno)); };
  int fd = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return fail();
  bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  written = ::close(fd) == 0 && written;
  if (!written || std::rename(unfinished.c_str(), path.c_str()) != 0) return fail();
  return Status::Ok();
}

// What clients on other machines may call this one, beside the loopback names that every certificate has.
std::vector<std::string> ExtraNames(const ServerOptions& options) {
  std::vector<std::string> names;
  if (!IsLoopbackAddress(options.host) && options.host != "0.0.0.0" && options.host != "::")
    names.push_back(options.host);
  names.insert(names.end(), options.host_names.begin(), options.host_names.end());
  char machine[256] = {};
  if (::gethostname(machine, sizeof(machine) - 1) == 0 && machine[0] != '\0') names.emplace_back(machine);
  return names;
}

Result<CertificatePair> MakePair(const ServerOptions& options) {
  LAPSE_ASSIGN_OR_RETURN(net::SelfSignedPair made, net::MakeSelfSigned(ExtraNames(options)));
  return CertificatePair{std::move(made.cert_pem), std::move(made.key_pem)};
}

Result<CertificatePair> ReadPair(const std::string& cert_path, const std::string& key_path) {
  CertificatePair pair;
  LAPSE_ASSIGN_OR_RETURN(pair.cert_pem, ReadFile(cert_path));
  LAPSE_ASSIGN_OR_RETURN(pair.key_pem, ReadFile(key_path));
  pair.cert_file = cert_path;
  pair.key_file = key_path;
  return pair;
}

Result<CertificatePair> FindOrMakePair(const ServerOptions& options, const std::string& data_dir) {
  std::string cert_path = data_dir + "/tls-cert.pem";
  std::string key_path = data_dir + "/tls-key.pem";
  // The certificate is written last: where it is, the key is.
  if (std::filesystem::exists(cert_path)) return ReadPair(cert_path, key_path);
  LAPSE_ASSIGN_OR_RETURN(CertificatePair pair, MakePair(options));
  LAPSE_RETURN_IF_ERROR(WriteFile(key_path, pair.key_pem));
  LAPSE_RETURN_IF_ERROR(WriteFile(cert_path, pair.cert_pem));
  return pair;
}

}  // namespace

Result<CertificatePair> LoadCertificates(const ServerOptions& options, const std::string& data_dir) {
  switch (options.tls) {
    case Tls::kOff: return CertificatePair();
    case Tls::kFiles: return ReadPair(options.tls_cert_file, options.tls_key_file);
    case Tls::kAuto: break;
  }
  return data_dir.empty() ? MakePair(options) : FindOrMakePair(options, data_dir);
}

}  // namespace lapse::server
