#include "server/certificates.h"

#include <unistd.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "base/small_file.h"
#include "net/http_server.h"

namespace lapse::server {
namespace {

// Certificate chains are a few kilobytes, so a larger file was named by mistake.
constexpr size_t kPemMax_bytes = 1 << 20;
constexpr char kCertName[] = "tls-cert.pem";
constexpr char kKeyName[] = "tls-key.pem";

// Returns the names that clients on other machines may use, beside the loopback names that every certificate has.
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
  LAPSE_ASSIGN_OR_RETURN(pair.cert_pem, ReadSmallFile(cert_path, kPemMax_bytes, "the certificate"));
  LAPSE_ASSIGN_OR_RETURN(pair.key_pem, ReadSmallFile(key_path, kPemMax_bytes, "the private key"));
  pair.cert_file = cert_path;
  pair.key_file = key_path;
  return pair;
}

Result<CertificatePair> FindOrMakePair(const ServerOptions& options, const std::string& data_dir) {
  const std::string cert_path = data_dir + "/" + kCertName;
  const std::string key_path = data_dir + "/" + kKeyName;
  // The certificate is written last: if it exists, so does the key.
  if (std::filesystem::exists(cert_path)) return ReadPair(cert_path, key_path);
  LAPSE_ASSIGN_OR_RETURN(CertificatePair pair, MakePair(options));
  LAPSE_RETURN_IF_ERROR(WriteDurably(data_dir, kKeyName, pair.key_pem));
  LAPSE_RETURN_IF_ERROR(WriteDurably(data_dir, kCertName, pair.cert_pem));
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
