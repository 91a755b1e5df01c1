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
  // `query` is still percent-encoded. `known` are the names that the route has. Fails: kInvalidArgument for an unknown
  // name, a name that is repeated or has no value, and a malformed escape.
  static Result<Parameters> Parse(std::string_view query, std::span<const std::string_view> known);

  // Returns nullopt if the parameter is not given.
  std::optional<std::string> Find(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

// Decoded. Fails: kInvalidArgument for a malformed escape.
Result<std::string> PercentDecoded(std::string_view text);

// Parses a whole number in canonical form: without leading zeros, blanks or a plus. Returns nullopt for anything else.
std::optional<int64_t> ParseWholeNumber(std::string_view text);

}  // namespace lapse::api::admin
