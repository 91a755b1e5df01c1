#include "api/explorer/explorer_api.h"

#include <string>
#include <utility>

#include "api/explorer/content_coding.h"
#include "api/explorer/header_list.h"

namespace lapse::api::explorer {
namespace {

constexpr std::string_view kBare = "/_explorer";
constexpr std::string_view kPrefix = "/_explorer/";
constexpr std::string_view kIndex = "index.html";
// Files in this folder have a hash of their content in their name.
constexpr std::string_view kAssets = "assets/";

// Inline styles are allowed, because component libraries and editors write them at run time. Inline scripts are not.
constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

void AddSecurityHeaders(net::Response* response) {
  response->AddHeader("Content-Security-Policy", kContentSecurityPolicy);
  response->AddHeader("X-Content-Type-Options", "nosniff");
  response->AddHeader("X-Frame-Options", "DENY");
  response->AddHeader("Referrer-Policy", "no-referrer");
  response->AddHeader("Cross-Origin-Opener-Policy", "same-origin");
  response->AddHeader("Cross-Origin-Resource-Policy", "same-origin");
}

void AnswerText(int status, std::string_view text, net::Response* response) {
  response->set_status(status);
  response->AddHeader("Content-Type", "text/plain; charset=utf-8");
  response->AddHeader("Cache-Control", "no-store");
  response->body().assign(text).push_back('\n');
}

// Whether the client already has these bytes, in any encoding: `"hash"`, `W/"hash-br"`.
bool HasIt(const net::Request& request, std::string_view hash) {
  bool has = false;
  ForEachElement(request, "if-none-match", [&](std::string_view tag) {
    if (tag == "*") has = true;
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag.size() < 2 || !tag.starts_with('"') || !tag.ends_with('"')) return;
    tag = tag.substr(1, tag.size() - 2);
    if (!tag.starts_with(hash)) return;
    tag.remove_prefix(hash.size());
    if (tag.empty() || tag == "-br" || tag == "-gzip") has = true;
  });
  return has;
}

void AnswerFile(const net::Request& request, const ExplorerFile& file, net::Response* response) {
  const CodedFile coded = ChooseCoding(request, file);
  response->AddHeader("ETag", "\"" + std::string(file.hash).append(coded.etag_suffix) + "\"");
  response->AddHeader("Vary", "Accept-Encoding");
  response->AddHeader("Cache-Control",
                      file.path.starts_with(kAssets) ? "public, max-age=31536000, immutable" : "no-cache");
  if (HasIt(request, file.hash)) {
    response->set_status(304);
    return;
  }
  response->AddHeader("Content-Type", file.content_type);
  if (!coded.coding.empty()) response->AddHeader("Content-Encoding", coded.coding);
  response->body().assign(coded.bytes);
}

}  // namespace

bool ExplorerApi::Owns(std::string_view path) {
  return path == kBare || path.starts_with(kPrefix);
}

const ExplorerFile* ExplorerApi::Find(std::string_view path) const {
  path.remove_prefix(kPrefix.size());
  if (path.empty()) path = kIndex;
  for (const ExplorerFile& file : files_) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

void ExplorerApi::Answer(const net::Request& request, net::Response* response) const {
  AddSecurityHeaders(response);
  if (request.method != "GET" && request.method != "HEAD") {
    response->AddHeader("Allow", "GET, HEAD");
    return AnswerText(405, "The Data Explorer is read with GET.", response);
  }
  if (files_.empty()) {
    return AnswerText(404,
                      "This server was built without the Data Explorer. 'make build' builds it with the page, which "
                      "takes Node and npm.",
                      response);
  }
  if (request.path == kBare) {
    // Relative, so that it is right behind a proxy that adds to the path.
    response->AddHeader("Location", "_explorer/");
    return AnswerText(308, "The Data Explorer is at /_explorer/.", response);
  }
  const ExplorerFile* file = Find(request.path);
  if (file == nullptr) return AnswerText(404, "The Data Explorer is at /_explorer/. It has no such file.", response);
  AnswerFile(request, *file, response);
}

// No body is ever needed: the head alone determines the response.
bool ExplorerApi::Admit(const net::Request& head, net::Response& refusal) {
  Answer(head, &refusal);
  return false;
}

void ExplorerApi::Handle(const net::Request& request, net::Responder responder) {
  Answer(request, &responder.response());
  responder.Send();
}

}  // namespace lapse::api::explorer
