// Functions of dates and times. What is no date, or beyond the years 1 to 9999, gives undefined.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kDateTimeAdd;  // (part, count, date)
// (date, part [, size [, origin]]): the beginning of the bin of `size` parts that the date is in, bins counted from the
// origin (1970). Dates before 1601 give undefined.
extern const Function kDateTimeBin;
// (part, start, end): how many boundaries of the part are crossed. Dates before 1601 give undefined.
extern const Function kDateTimeDiff;
extern const Function kDateTimeFormat;     // (date, format)
extern const Function kDateTimeFromParts;  // (year, month, day [, hour, minute, second, ticks])
extern const Function kDateTimePart;       // (part, date)
extern const Function kDay;
extern const Function kMonth;
extern const Function kYear;

extern const Function kDateTimeToTicks;      // 100 ns since 1970
extern const Function kDateTimeToTimestamp;  // ms since 1970
extern const Function kTicksToDateTime;
extern const Function kTimestampToDateTime;

// The time of the page: the same in all of its rows.
extern const Function kGetCurrentDateTime;
extern const Function kGetCurrentTicks;
extern const Function kGetCurrentTimestamp;
extern const Function kNow;  // ([part, count]): now, or so many parts later
extern const Function kAgo;  // (part, count): so many parts before now

}  // namespace lapse::query::functions
