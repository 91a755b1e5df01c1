#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "net/http_server.h"

namespace lapse::net {
namespace {

constexpr long kValidSeconds = 10L * 365 * 24 * 60 * 60;
// Clients' clocks may be behind ours.
constexpr long kBackdatedSeconds = 24 * 60 * 60;

template <auto Free>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>>;
using MemoryBio = std::unique_ptr<BIO, Freer<BIO_free>>;

Status OpenSslError(std::string_view what) {
  char text[256];
  ERR_error_string_n(ERR_get_error(), text, sizeof(text));
  return Status(Code::kInternal, std::string(what) + ": " + text);
}

bool IsIpAddress(const std::string& name) {
  in6_addr address;
  return inet_pton(AF_INET, name.c_str(), &address) == 1 || inet_pton(AF_INET6, name.c_str(), &address) == 1;
}

// OpenSSL gets the list as text, in which a comma would start another entry of any kind.
bool IsHostName(const std::string& name) {
  for (char c : name) {
    if (!IsDigit(c) && !IsLetter(c) && c != '-' && c != '_' && c != '.' && c != '*') return false;
  }
  return !name.empty() && name.size() <= 253;
}

// Without duplicates, ignoring case: several options, and the machine itself, may name the same host.
Result<std::string> AlternativeNames(const std::vector<std::string>& extra_names) {
  std::set<std::string> known = {"DNS:localhost", "IP:127.0.0.1", "IP:::1"};
  std::string names = "DNS:localhost,IP:127.0.0.1,IP:::1";
  for (const std::string& name : extra_names) {
    const bool address = IsIpAddress(name);
    if (!address && !IsHostName(name)) {
      return Status(Code::kInvalidArgument, "Not a host name or address to certify: " + name);
    }
    std::string entry = address ? "IP:" : "DNS:";
    for (const char c : name) entry.push_back(LowerAscii(c));
    if (known.insert(entry).second) names += "," + entry;
  }
  return names;
}

bool AddExtension(X509* certificate, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// Browsers reject a certificate with the serial number of an earlier one of the same issuer.
bool SetRandomSerial(X509* certificate) {
  uint64_t serial = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof(serial)) != 1) return false;
  return ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1) == 1;
}

bool SetName(X509* certificate) {
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* common_name = reinterpret_cast<const unsigned char*>("localhost");
  return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common_name, -1, -1, 0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1;
}

bool FillCertificate(X509* certificate, EVP_PKEY* key, const std::string& names) {
  return X509_set_version(certificate, X509_VERSION_3) == 1 && SetRandomSerial(certificate) &&
         X509_gmtime_adj(X509_getm_notBefore(certificate), -kBackdatedSeconds) != nullptr &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), kValidSeconds) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 && SetName(certificate) &&
         AddExtension(certificate, NID_subject_alt_name, names) &&
         AddExtension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
         AddExtension(certificate, NID_key_usage, "critical,digitalSignature,keyCertSign") &&
         AddExtension(certificate, NID_ext_key_usage, "serverAuth") &&
         AddExtension(certificate, NID_subject_key_identifier, "hash") && X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string Text(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<size_t>(size));
}

}  // namespace

Result<SelfSignedPair> MakeSelfSigned(const std::vector<std::string>& extra_names) {
  LAPSE_ASSIGN_OR_RETURN(const std::string names, AlternativeNames(extra_names));
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  if (key == nullptr || certificate == nullptr || !FillCertificate(certificate.get(), key.get(), names)) {
    return OpenSslError("The certificate cannot be made");
  }
  const MemoryBio cert_pem(BIO_new(BIO_s_mem()));
  const MemoryBio key_pem(BIO_new(BIO_s_mem()));
  if (cert_pem == nullptr || key_pem == nullptr || PEM_write_bio_X509(cert_pem.get(), certificate.get()) != 1 ||
      PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return OpenSslError("The certificate cannot be written");
  }
  return SelfSignedPair{Text(cert_pem.get()), Text(key_pem.get())};
}

}  // namespace lapse::net
