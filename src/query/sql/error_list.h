// The errors of a query, in the service's form.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/sql/syntax.h"

namespace lapse::query::sql {

// Threads: one. Keeps the first kErrorsMax errors.
class ErrorList {
 public:
  static constexpr size_t kErrorsMax = 10;

  void Add(std::string_view code, std::string message, Span location);
  // Adds an error about the query as a whole. The service writes some codes as numbers: those of digits only.
  void Add(std::string_view code, std::string message);

  bool empty() const { return errors_.empty(); }

  // Returns kInvalidArgument with the message
  // {"errors":[{"severity":"Error","location":{"start":7,"end":14},"code":"SC2005","message":"..."}]} in the order of
  // the text. Locations count UTF-16 units, as the strings of most clients do. Requires an error.
  Status ToStatus(std::string_view text) const;

 private:
  struct Error {
    std::string_view code;
    std::string message;
    std::optional<Span> location;
  };
  std::vector<Error> errors_;
};

// The service's other form: {"Errors":["..."]}.
Status PlainError(std::string_view message);

// Quotes a piece of the text for a message, and cuts long ones.
std::string Quoted(std::string_view piece);

}  // namespace lapse::query::sql
