// The operators of numbers.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// Two numbers, else undefined. The sum, difference and product of integers is an integer while int64 holds it. Division
// by zero is an infinity or NaN; the remainder has the sign of the dividend.
extern const Function kAdd;
extern const Function kSubtract;
extern const Function kMultiply;
extern const Function kDivide;
extern const Function kRemainder;
extern const Function kNegate;  // unary -
extern const Function kPlus;    // unary +

// On the low 32 bits of the numbers without their fraction, as JavaScript has it. Shifts take the count modulo 32.
extern const Function kBitAnd;
extern const Function kBitOr;
extern const Function kBitXor;
extern const Function kBitNot;
extern const Function kShiftLeft;
extern const Function kShiftRight;          // with the sign
extern const Function kShiftRightUnsigned;  // with zeros

}  // namespace lapse::query::functions
