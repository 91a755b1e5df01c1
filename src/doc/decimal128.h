// The text form of a BSON decimal128 (IEEE 754-2008, binary integer significand). Private to this folder.
#pragma once

#include <string>
#include <string_view>

namespace lapse::doc {

// `raw` are the 16 bytes as BSON stores them. Uses plain notation for small exponents (`12.50`), else scientific
// notation (`1.25E+40`), and keeps trailing zeros. Special values are "NaN", "Infinity" and "-Infinity".
std::string Decimal128ToString(std::string_view raw);

}  // namespace lapse::doc
