// How a charge looks on the wire. The prices are the engine's (engine/request_units/prices.h).
#pragma once

#include <cstdint>
#include <string>

namespace lapse::api::cosmos {

// Thousandths of a request unit as `1`, `5.71`: at most two decimals, which is all that a price has.
void AppendCharge(int64_t milli_ru, std::string* out);

}  // namespace lapse::api::cosmos
