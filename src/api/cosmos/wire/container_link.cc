#include "api/cosmos/wire/container_link.h"

#include "base/ascii.h"
#include "base/hex.h"

namespace lapse::api::cosmos {
namespace {

// Characters that encodeURI keeps, beside letters and digits. A name contains none of `/ ? #`.
constexpr std::string_view kKept = "-_.!~*'();:@&=+$,";

bool IsKept(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kKept.find(c) != std::string_view::npos;
}

void AppendEncoded(std::string_view name, std::string* link) {
  for (const char& c : name) {
    if (IsKept(c)) {
      link->push_back(c);
    } else {
      link->append("%").append(HexUpper({&c, 1}));
    }
  }
}

}  // namespace

std::string EncodedDatabaseLink(std::string_view database) {
  std::string link = "dbs/";
  AppendEncoded(database, &link);
  return link;
}

std::string EncodedContainerLink(const ContainerNames& names) {
  std::string link = EncodedDatabaseLink(names.database);
  link.append("/colls/");
  AppendEncoded(names.container, &link);
  return link;
}

}  // namespace lapse::api::cosmos
