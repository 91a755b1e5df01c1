#include "api/cosmos/query/query_request.h"

#include <openssl/sha.h>

#include <utility>

#include "api/cosmos/wire/request_body.h"
#include "base/hex.h"
#include "doc/value.h"
#include "doc/writer.h"

namespace lapse::api::cosmos {
namespace {

// Enough to tell apart the queries of one client. A collision benefits no client.
constexpr size_t kFingerprintBytes = 12;

constexpr std::string_view kResumeFilter = "resumeFilter";

std::string Without(std::string_view document, std::string_view name) {
  std::string rest;
  doc::Writer writer(&rest);
  writer.BeginDocument();
  doc::Reader reader(document);
  while (auto element = reader.Next()) {
    if (element->name != name) writer.AppendValue(element->name, element->value);
  }
  writer.End();
  return rest;
}

Status CheckParameters(doc::Value parameters) {
  Status malformed(Code::kInvalidArgument,
                   "The property 'parameters' of a query must be an array of objects with 'name' and 'value'.");
  if (parameters.missing()) return Status::Ok();
  if (parameters.type() != doc::Type::kArray) return malformed;
  doc::Reader reader(parameters.AsDocument());
  while (auto element = reader.Next()) {
    if (element->value.type() != doc::Type::kObject) return malformed;
    if (doc::Find(element->value.AsDocument(), "name").type() != doc::Type::kString) return malformed;
  }
  return Status::Ok();
}

}  // namespace

Result<QueryRequest> QueryRequest::Parse(std::string_view body) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, ParseBody(body));
  if (doc::Find(document, "query").type() != doc::Type::kString) {
    return Status(Code::kInvalidArgument, "The body of a query must have the property 'query', a string.");
  }
  LAPSE_RETURN_IF_ERROR(CheckParameters(doc::Find(document, "parameters")));
  return QueryRequest(std::move(document));
}

std::string_view QueryRequest::text() const {
  return doc::Find(document_, "query").AsString();
}

std::vector<query::sql::Parameter> QueryRequest::Parameters() const {
  std::vector<query::sql::Parameter> parameters;
  const doc::Value list = doc::Find(document_, "parameters");
  if (list.missing()) return parameters;
  doc::Reader reader(list.AsDocument());
  while (auto element = reader.Next()) {
    const std::string_view parameter = element->value.AsDocument();
    parameters.push_back(
        {doc::Find(parameter, "name").AsString(), query::Value::FromBson(doc::Find(parameter, "value"))});
  }
  return parameters;
}

Result<query::plan::Plan> QueryRequest::Plan(query::sql::KnownTexts* texts) const {
  LAPSE_ASSIGN_OR_RETURN(const auto tree, texts->Parse(text()));
  return query::sql::Bind(*tree, Parameters());
}

doc::Value QueryRequest::resume_filter() const {
  return doc::Find(document_, kResumeFilter);
}

std::string QueryRequest::Fingerprint() const {
  std::string without_place;
  if (!resume_filter().missing()) without_place = Without(document_, kResumeFilter);
  const std::string& query = without_place.empty() ? document_ : without_place;
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(query.data()), query.size(), digest);
  return HexUpper({reinterpret_cast<const char*>(digest), kFingerprintBytes});
}

}  // namespace lapse::api::cosmos
