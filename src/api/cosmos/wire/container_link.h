// The link of a container as clients write it into URLs.
#pragma once

#include <string>

#include "api/cosmos/wire/lookup.h"

namespace lapse::api::cosmos {

// `dbs/my%20db/colls/c`: encoded as JavaScript's encodeURI does, which clients use for it.
std::string EncodedContainerLink(const ContainerNames& names);

}  // namespace lapse::api::cosmos
