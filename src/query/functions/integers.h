// Functions of int64. A number that is no integer, a division by zero, a result that int64 does not hold and a shift by
// less than 0 or more than 63 give undefined.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kIntAdd;
extern const Function kIntSub;
extern const Function kIntMul;
extern const Function kIntDiv;  // toward zero
extern const Function kIntMod;  // with the sign of the dividend
extern const Function kIntBitAnd;
extern const Function kIntBitOr;
extern const Function kIntBitXor;
extern const Function kIntBitNot;
extern const Function kIntBitLeftShift;   // what is shifted out is lost
extern const Function kIntBitRightShift;  // with the sign

}  // namespace lapse::query::functions
