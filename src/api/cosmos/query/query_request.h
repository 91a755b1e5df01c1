// The body of a query: `{"query": "...", "parameters": [{"name": "@x", "value": ...}, ...]}`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/plan/plan.h"
#include "query/sql/bind.h"

namespace lapse::api::cosmos {

// Owns the document that text and parameters look at.
class QueryRequest {
 public:
  // Fails: kInvalidArgument for a body that is no query.
  static Result<QueryRequest> Parse(std::string_view body);

  std::string_view text() const;
  // They look at this request.
  std::vector<query::sql::Parameter> Parameters() const;
  // Fails: kInvalidArgument with the errors of the text, in the service's form.
  Result<query::plan::Plan> Plan() const;
  // Tells queries apart: a continuation is good for the same text and the same parameters only.
  std::string Fingerprint() const;

 private:
  explicit QueryRequest(std::string document) : document_(std::move(document)) {}

  std::string document_;  // BSON
};

}  // namespace lapse::api::cosmos
