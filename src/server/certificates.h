// The server's certificate.
#pragma once

#include <string>

#include "base/status.h"
#include "server/options.h"

namespace lapse::server {

struct CertificatePair {
  std::string cert_pem;  // both empty: no TLS
  std::string key_pem;
  std::string cert_file = {};  // where they are; empty: in no file
  std::string key_file = {};
};

// Loads the given files, or makes a self-signed pair. A generated pair is kept under `data_dir` and reused, so that
// clients which trust it keep doing so. With an empty `data_dir` it is not kept. Fails: kInvalidArgument, naming the
// file that cannot be read or written.
Result<CertificatePair> LoadCertificates(const ServerOptions& options, const std::string& data_dir);

}  // namespace lapse::server
