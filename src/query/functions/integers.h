// Functions of int64. They give undefined for a number that is not an integer, a division by zero, a result that does
// not fit int64, and a shift by less than 0 or more than 63.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kIntAdd;
extern const Function kIntSub;
extern const Function kIntMul;
extern const Function kIntDiv;  // truncates
extern const Function kIntMod;  // with the sign of the dividend
extern const Function kIntBitAnd;
extern const Function kIntBitOr;
extern const Function kIntBitXor;
extern const Function kIntBitNot;
extern const Function kIntBitLeftShift;   // drops the bits that are shifted out
extern const Function kIntBitRightShift;  // arithmetic

}  // namespace lapse::query::functions
