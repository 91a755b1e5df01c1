// The links of databases and containers as clients put them into URLs.
#pragma once

#include <string>
#include <string_view>

#include "api/cosmos/wire/lookup.h"

namespace lapse::api::cosmos {

// `dbs/my%20db/colls/c`: encoded as by JavaScript's encodeURI, which clients use.
std::string EncodedDatabaseLink(std::string_view database);
std::string EncodedContainerLink(const ContainerNames& names);

}  // namespace lapse::api::cosmos
