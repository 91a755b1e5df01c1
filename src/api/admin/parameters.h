// The parameters of a request to an admin route: `?max=10&after=db%2Fcontainer`.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::admin {

class Parameters {
 public:
  // `query` is still percent-encoded; `known` are the names that the route has. Fails: kInvalidArgument for a name that
  // it does not have, one that is given twice or without a value, and a malformed escape.
  static Result<Parameters> Parse(std::string_view query, std::span<const std::string_view> known);

  // nullopt: it is not given.
  std::optional<std::string> Find(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

// Decoded. Fails: kInvalidArgument for a malformed escape.
Result<std::string> PercentDecoded(std::string_view text);

// A whole number as it is written everywhere: without leading zeros, blanks or a plus. nullopt: it is none.
std::optional<int64_t> ParseWholeNumber(std::string_view text);

}  // namespace lapse::api::admin
