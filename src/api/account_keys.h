// The keys of the account, as the operator gives them.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace lapse::api {

// In base64; an empty one means that there is none. Each is good by itself, so that one can be replaced while clients
// go on with another.
struct AccountKeys {
  std::string primary;
  std::string secondary;
  // For reading alone.
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
