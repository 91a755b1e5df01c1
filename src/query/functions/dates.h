// Functions of dates and times. They give undefined for anything that is not a date, and beyond the years 1 to 9999.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kDateTimeAdd;  // (part, count, date)
// (date, part [, size [, origin]]): the beginning of the date's bin. Bins are `size` parts long and counted from the
// origin (1970). Dates before 1601 give undefined.
extern const Function kDateTimeBin;
// (part, start, end): the number of boundaries of the part between the dates. Dates before 1601 give undefined.
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

// The time of the page, which is the same in all of its rows.
extern const Function kGetCurrentDateTime;
extern const Function kGetCurrentTicks;
extern const Function kGetCurrentTimestamp;
extern const Function kNow;  // ([part, count]): now, or that many parts later
extern const Function kAgo;  // (part, count): that many parts before now

}  // namespace lapse::query::functions
