// The keys of the account, as the operator sets them.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace lapse::api {

// In base64; empty: not set. Each key is valid independently, so that one can be replaced while clients still use
// another.
struct AccountKeys {
  std::string primary;
  std::string secondary;
  // Valid for reads only.
  std::string read_only;
  std::string secondary_read_only;

  bool operator==(const AccountKeys&) const = default;
};

// Each key with the name of its option.
struct AccountKeyName {
  std::string_view name;
  std::string AccountKeys::*key;
};
constexpr std::array<AccountKeyName, 4> kAccountKeyNames = {{
    {"account-key", &AccountKeys::primary},
    {"secondary-account-key", &AccountKeys::secondary},
    {"read-only-key", &AccountKeys::read_only},
    {"secondary-read-only-key", &AccountKeys::secondary_read_only},
}};

}  // namespace lapse::api
