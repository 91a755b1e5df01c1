// The certificate that the server shows.
#pragma once

#include <string>

#include "base/status.h"
#include "server/options.h"

namespace lapse::server {

struct CertificatePair {
  std::string cert_pem;  // both empty: no TLS
  std::string key_pem;
  std::string cert_file = {};  // where they are; empty: nowhere
  std::string key_file = {};
};

// From the files given, or made by ourselves. A pair that was made is kept under `data_dir` and found there again, so
// that clients who trust it go on doing so; an empty `data_dir` keeps nothing.
// Fails: kInvalidArgument, naming the file that cannot be read or written.
Result<CertificatePair> LoadCertificates(const ServerOptions& options, const std::string& data_dir);

}  // namespace lapse::server
