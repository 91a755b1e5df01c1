// The links of databases and containers as clients write them into URLs.
#pragma once

#include <string>
#include <string_view>

#include "api/cosmos/wire/lookup.h"

namespace lapse::api::cosmos {

// `dbs/my%20db/colls/c`: encoded as JavaScript's encodeURI does, which clients use for it.
std::string EncodedDatabaseLink(std::string_view database);
std::string EncodedContainerLink(const ContainerNames& names);

}  // namespace lapse::api::cosmos
