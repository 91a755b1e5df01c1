// The body of a query: `{"query": "...", "parameters": [{"name": "@x", "value": ...}, ...], "resumeFilter"?: {...}}`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "doc/value.h"
#include "query/plan/plan.h"
#include "query/sql/bind.h"
#include "query/sql/known_texts.h"

namespace lapse::api::cosmos {

// Owns the document that the text and the parameters point into.
class QueryRequest {
 public:
  // Fails: kInvalidArgument for a body that is not a query.
  static Result<QueryRequest> Parse(std::string_view body);

  std::string_view text() const;
  // The parameters point into this request.
  std::vector<query::sql::Parameter> Parameters() const;
  // Fails: kInvalidArgument with the errors of the text, in the service's form.
  Result<query::plan::Plan> Plan(query::sql::KnownTexts* texts) const;
  // Returns where in the order of the query its results begin (resume_filter.h), or missing if the body does not say.
  doc::Value resume_filter() const;
  // Identifies a query: a continuation is valid only for the same text and the same parameters. The resume filter is
  // not part of it, because clients continue with a different one.
  std::string Fingerprint() const;

 private:
  explicit QueryRequest(std::string document) : document_(std::move(document)) {}

  std::string document_;  // BSON
};

}  // namespace lapse::api::cosmos
