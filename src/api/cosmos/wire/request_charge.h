// Formats a charge for the wire. The prices are the engine's (engine/request_units/prices.h).
#pragma once

#include <cstdint>
#include <string>

namespace lapse::api::cosmos {

// Appends thousandths of a request unit as `1`, `5.71`: at most two decimals, which no price exceeds.
void AppendCharge(int64_t milli_ru, std::string* out);

}  // namespace lapse::api::cosmos
