// The arithmetic and bit operators.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// Take two numbers; anything else gives undefined. The sum, difference and product of integers is an integer if it fits
// int64. Division by zero gives an infinity or NaN. The remainder has the sign of the dividend.
extern const Function kAdd;
extern const Function kSubtract;
extern const Function kMultiply;
extern const Function kDivide;
extern const Function kRemainder;
extern const Function kNegate;  // unary -
extern const Function kPlus;    // unary +

// Operate on the low 32 bits of the truncated numbers, as in JavaScript. Shift counts are taken modulo 32.
extern const Function kBitAnd;
extern const Function kBitOr;
extern const Function kBitXor;
extern const Function kBitNot;
extern const Function kShiftLeft;
extern const Function kShiftRight;          // arithmetic
extern const Function kShiftRightUnsigned;  // logical

}  // namespace lapse::query::functions
