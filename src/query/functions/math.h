// Functions of numbers, computed as IEEE doubles. Integers stay integers if the result is one.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kAbs;
extern const Function kAcos;
extern const Function kAsin;
extern const Function kAtan;
extern const Function kAtan2;  // (y, x)
extern const Function kCeiling;
extern const Function kCos;
extern const Function kCot;
extern const Function kDegrees;
extern const Function kExp;
extern const Function kFloor;
extern const Function kLog;  // (x [, base])
extern const Function kLog10;
extern const Function kNumberBin;  // (x [, size]): the largest multiple of the size that is at most x
extern const Function kPi;
extern const Function kPower;  // (x, y)
extern const Function kRadians;
extern const Function kRandom;  // (): in [0, 1)
extern const Function kRound;   // (x [, digits]): half away from zero; 0 to 15 digits
extern const Function kSign;
extern const Function kSin;
extern const Function kSquare;
extern const Function kSquareRoot;
extern const Function kTan;
extern const Function kTruncate;

}  // namespace lapse::query::functions
