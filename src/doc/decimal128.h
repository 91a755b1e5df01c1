// The text form of a BSON decimal128 (IEEE 754-2008, binary integer significand). Private to this folder.
#pragma once

#include <string>
#include <string_view>

namespace lapse::doc {

// `raw` are the 16 bytes as BSON stores them. Plain notation where the exponent is small (`12.50`), else scientific
// (`1.25E+40`), trailing zeros kept; "NaN", "Infinity", "-Infinity".
std::string Decimal128ToString(std::string_view raw);

}  // namespace lapse::doc
