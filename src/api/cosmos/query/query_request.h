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

// Owns the document that text and parameters look at.
class QueryRequest {
 public:
  // Fails: kInvalidArgument for a body that is no query.
  static Result<QueryRequest> Parse(std::string_view body);

  std::string_view text() const;
  // They look at this request.
  std::vector<query::sql::Parameter> Parameters() const;
  // Fails: kInvalidArgument with the errors of the text, in the service's form.
  Result<query::plan::Plan> Plan(query::sql::KnownTexts* texts) const;
  // Where in the order of the query its results begin (resume_filter.h); missing when the body does not say.
  doc::Value resume_filter() const;
  // Tells queries apart: a continuation is good for the same text and the same parameters only. The place where results
  // begin does not count: clients continue with another one.
  std::string Fingerprint() const;

 private:
  explicit QueryRequest(std::string document) : document_(std::move(document)) {}

  std::string document_;  // BSON
};

}  // namespace lapse::api::cosmos
