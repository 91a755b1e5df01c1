// GET /_explorer/...: the files of the Data Explorer, a web page over the public API (docs/design/explorer.md).
//
// The files are public, because they contain no data. The page requests its data with a key, like any other client.
#pragma once

#include <string_view>

#include "api/explorer/explorer_file.h"
#include "net/http.h"

namespace lapse::api::explorer {

// Threads: any; immutable. The files must outlive it.
class ExplorerApi final : public net::Handler {
 public:
  explicit ExplorerApi(ExplorerFiles files) : files_(files) {}

  // Whether this path belongs to the explorer, known or not.
  static bool Owns(std::string_view path);

  bool Admit(const net::Request& head, net::Response& refusal) override;
  void Handle(const net::Request& request, net::Responder responder) override;

 private:
  const ExplorerFile* Find(std::string_view path) const;
  void Answer(const net::Request& request, net::Response* response) const;

  const ExplorerFiles files_;
};

}  // namespace lapse::api::explorer
