// The headers by which a request names a part of a container other than by partition key.
#pragma once

#include <string_view>

namespace lapse::api::cosmos {

inline constexpr std::string_view kRangeHeaders[] = {"x-ms-documentdb-partitionkeyrangeid", "x-ms-start-epk",
                                                     "x-ms-end-epk"};

}  // namespace lapse::api::cosmos
