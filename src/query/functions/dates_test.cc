#include "query/functions/dates.h"

#include <gtest/gtest.h>

#include "query/functions/test_eval.h"
#include "query/functions/type_checks.h"

namespace lapse::query::functions {
namespace {

using DatesTest = FunctionTest;

TEST_F(DatesTest, FormsThatAreDates) {
  for (const char* date : {"'2020-01-01'", "'2020-01-01T00:00:00'", "'2020-01-01 23:59:59'", "'2020-01-01T00:00:00Z'",
                           "'2020-01-01Z'", "'2020-02-29T00:00:00.1'", "'2020-01-01T00:00:00.1234567Z'", "'0001-01-01'",
                           "'9999-12-31T23:59:59.9999999Z'"}) {
    EXPECT_EQ(Eval(kIsDateTime, date), "true") << date;
  }
  for (const char* date : {"''",
                           "'2020'",
                           "'2020-1-1'",
                           "'2020-13-01'",
                           "'2020-00-01'",
                           "'2021-02-29'",
                           "'2020-01-32'",
                           "'2020-01-01T'",
                           "'2020-01-01T24:00:00'",
                           "'2020-01-01T00:60:00'",
                           "'2020-01-01T00:00:60'",
                           "'2020-01-01T00:00'",
                           "'2020-01-01T00:00:00.'",
                           "'2020-01-01T00:00:00.12345678'",
                           "'2020-01-01T00:00:00+01:00'",
                           "'0000-01-01'",
                           "'2020-01-01t00:00:00'",
                           "' 2020-01-01'",
                           "'2020-01-01T00:00:00ZZ'",
                           "'20200101'"}) {
    EXPECT_EQ(Eval(kIsDateTime, date), "false") << date;
  }
}

TEST_F(DatesTest, Add) {
  Expect(kDateTimeAdd, {
                           {"'yyyy', 1, '2020-07-03T00:00:00.0000000'", "'2021-07-03T00:00:00.0000000Z'"},
                           {"'mm', 1, '2020-07-03T00:00:00.0000000'", "'2020-08-03T00:00:00.0000000Z'"},
                           {"'dd', 1, '2020-07-03T00:00:00.0000000'", "'2020-07-04T00:00:00.0000000Z'"},
                           {"'hh', 1, '2020-07-03T00:00:00.0000000'", "'2020-07-03T01:00:00.0000000Z'"},
                           {"'yyyy', -1, '2020-07-03'", "'2019-07-03T00:00:00.0000000Z'"},
                           {"'ss', -25, '2020-07-03'", "'2020-07-02T23:59:35.0000000Z'"},
                           {"'mi', 90, '2020-07-03'", "'2020-07-03T01:30:00.0000000Z'"},
                           {"'ms', 5, '2020-07-03'", "'2020-07-03T00:00:00.0050000Z'"},
                           {"'mcs', 5, '2020-07-03'", "'2020-07-03T00:00:00.0000050Z'"},
                           {"'ns', 500, '2020-07-03'", "'2020-07-03T00:00:00.0000005Z'"},
                           {"'month', 1, '2020-01-31'", "'2020-02-29T00:00:00.0000000Z'"},
                           {"'month', -11, '2020-01-31'", "'2019-02-28T00:00:00.0000000Z'"},
                           {"'YEAR', 1, '2020-02-29'", "'2021-02-28T00:00:00.0000000Z'"},
                           {"'year', 8000, '2020-02-29'", "undefined"},
                           {"'year', -9223372036854775808, '2020-02-29'", "undefined"},
                           {"'day', 9223372036854775807, '2020-02-29'", "undefined"},
                           {"'day', 1, '9999-12-31'", "undefined"},
                           {"'decade', 1, '2020-02-29'", "undefined"},
                           {"'day', 1, 'today'", "undefined"},
                           {"'day', 1.5, '2020-02-29'", "undefined"},
                       });
  ExpectKinds(kDateTimeAdd, "sis", "'day', 1, '2020-01-01'");
}

TEST_F(DatesTest, Diff) {
  Expect(kDateTimeDiff, {
                            {"'yyyy', '2018-03-05', '2019-02-04'", "1"},
                            {"'mm', '2018-03-05', '2019-02-04'", "11"},
                            {"'dd', '2018-03-05T23:59:59', '2018-03-06T00:00:00'", "1"},
                            {"'hh', '2018-03-05T01:59:59', '2018-03-05T02:00:00'", "1"},
                            {"'mi', '2018-03-05T00:00:00', '2018-03-05T02:00:00'", "120"},
                            {"'ss', '2018-03-05T00:00:00.9', '2018-03-05T00:00:01.1'", "1"},
                            {"'dd', '2018-03-06', '2018-03-05'", "-1"},
                            {"'dd', '1960-03-05T12:00:00', '1960-03-06'", "1"},
                            {"'ns', '2018-03-05', '2018-03-05T00:00:00.0000001'", "100"},
                            {"'ns', '1601-01-01', '9999-12-31'", "2.65046688e+20"},
                            {"'yyyy', '1600-12-31', '2019-01-01'", "undefined"},
                            {"'yyyy', '2019-01-01', '1600-12-31'", "undefined"},
                            {"'x', '2019-01-01', '2019-01-01'", "undefined"},
                        });
  ExpectKinds(kDateTimeDiff, "sss", "'day', '2020-01-01', '2020-01-02'");
}

TEST_F(DatesTest, Parts) {
  const auto part = [this](std::string_view name) {
    return Eval(kDateTimePart, std::string("'").append(name).append("', '2016-05-29T08:30:00.1301617'"));
  };
  EXPECT_EQ(part("yyyy"), "2016");
  EXPECT_EQ(part("mm"), "5");
  EXPECT_EQ(part("dd"), "29");
  EXPECT_EQ(part("hh"), "8");
  EXPECT_EQ(part("mi"), "30");
  EXPECT_EQ(part("ss"), "0");
  EXPECT_EQ(part("ms"), "130");
  EXPECT_EQ(part("mcs"), "130161");
  EXPECT_EQ(part("ns"), "130161700");
  EXPECT_EQ(part("week"), "undefined");
  Expect(kYear, {{"'2016-05-29'", "2016"}, {"'x'", "undefined"}});
  Expect(kMonth, {{"'2016-05-29'", "5"}});
  Expect(kDay, {{"'2016-05-29'", "29"}});
  ExpectKinds(kDateTimePart, "ss", "'day', '2020-01-01'");
  for (const Function* function : {&kYear, &kMonth, &kDay}) ExpectKinds(*function, "s", "'2020-01-01'");
}

TEST_F(DatesTest, Bins) {
  Expect(kDateTimeBin, {
                           {"'2021-01-08T18:35:00.0000000', 'dd', 7", "'2021-01-07T00:00:00.0000000Z'"},
                           {"'2021-01-08T18:35:00.0000000', 'hh', 5", "'2021-01-08T15:00:00.0000000Z'"},
                           {"'2021-01-08T18:35:00', 'day'", "'2021-01-08T00:00:00.0000000Z'"},
                           {"'2021-01-08T18:35:00', 'yyyy', 2", "'2020-01-01T00:00:00.0000000Z'"},
                           {"'2021-05-08', 'month', 3", "'2021-04-01T00:00:00.0000000Z'"},
                           {"'2021-05-08', 'month', 1, '2021-01-15'", "'2021-04-15T00:00:00.0000000Z'"},
                           {"'1969-12-31', 'month', 5", "'1969-08-01T00:00:00.0000000Z'"},
                           {"'2021-01-08T18:35:00', 'dd', 7, '2021-01-08T19:00:00'", "'2021-01-01T19:00:00.0000000Z'"},
                           {"'1969-12-31T23:00:00', 'dd', 1", "'1969-12-31T00:00:00.0000000Z'"},
                           {"'2021-01-08T00:00:00.1234567', 'ms', 100", "'2021-01-08T00:00:00.1000000Z'"},
                           {"'2021-01-08T00:00:00.1234567', 'ns', 150", "'2021-01-08T00:00:00.1234566Z'"},
                           {"'2021-01-08', 'dd', 0", "undefined"},
                           {"'2021-01-08', 'dd', -1", "undefined"},
                           {"'2021-01-08', 'dd', 1.5", "undefined"},
                           {"'1600-01-08', 'dd', 1", "undefined"},
                           {"'2021-01-08', 'dd', 1, '1600-01-01'", "undefined"},
                           {"'2021-01-08', 'year', 9223372036854775807", "undefined"},
                           {"'2021-01-08', 'day', 9223372036854775807", "'1970-01-01T00:00:00.0000000Z'"},
                           {"'1969-01-08', 'day', 9223372036854775807", "undefined"},
                       });
  ExpectKinds(kDateTimeBin, "ssis", "'2020-01-01', 'day', 2, '2020-01-01'");
}

TEST_F(DatesTest, FromParts) {
  Expect(kDateTimeFromParts, {
                                 {"2020, 9, 4", "'2020-09-04T00:00:00.0000000Z'"},
                                 {"2017, 4, 20, 13, 15", "'2017-04-20T13:15:00.0000000Z'"},
                                 {"2017, 4, 20, 13, 15, 20, 3456789", "'2017-04-20T13:15:20.3456789Z'"},
                                 {"-2000, 1, 1", "undefined"},
                                 {"2021, 2, 29", "undefined"},
                                 {"2021, 13, 1", "undefined"},
                                 {"2021, 1, 1, 24", "undefined"},
                                 {"2021, 1, 1, 0, 0, 0, 10000000", "undefined"},
                                 {"9223372036854775807, 1, 1", "undefined"},
                                 {"2021, 4294967297, 1", "undefined"},
                             });
  ExpectKinds(kDateTimeFromParts, "iiiiiii", "2020, 1, 2, 3, 4, 5, 6");
}

TEST_F(DatesTest, TicksAndTimestamps) {
  Expect(kDateTimeToTicks,
         {{"'2020-01-02T03:04:05.6789123Z'", "15779342456789123"}, {"'1969-12-31T23:59:59.9999999'", "-1"}});
  Expect(kDateTimeToTimestamp, {{"'2020-07-09'", "1594252800000"}, {"'1969-12-31T23:59:59.9999999'", "-1"}});
  Expect(kTicksToDateTime, {
                               {"15973607943002652", "'2020-08-13T23:19:54.3002652Z'"},
                               {"0", "'1970-01-01T00:00:00.0000000Z'"},
                               {"-116444736000000000", "'1601-01-01T00:00:00.0000000Z'"},
                               {"9223372036854775807", "undefined"},
                           });
  Expect(kTimestampToDateTime, {
                                   {"1597360794300", "'2020-08-13T23:19:54.3000000Z'"},
                                   {"-11644473600000", "'1601-01-01T00:00:00.0000000Z'"},
                                   {"9223372036854775807", "undefined"},
                                   {"1.5", "undefined"},
                               });
  ExpectKinds(kDateTimeToTicks, "s", "'2020-01-01'");
  ExpectKinds(kDateTimeToTimestamp, "s", "'2020-01-01'");
  ExpectKinds(kTicksToDateTime, "i", "0");
  ExpectKinds(kTimestampToDateTime, "i", "0");
}

TEST_F(DatesTest, NowIsTheRequestsOwn) {
  Expect(kGetCurrentDateTime, {{"", "'2020-08-13T23:19:54.3002652Z'"}});
  Expect(kGetCurrentTicks, {{"", "15973607943002652"}});
  Expect(kGetCurrentTimestamp, {{"", "1597360794300"}});
  Expect(
      kNow,
      {{"", "'2020-08-13T23:19:54.3002652Z'"}, {"'day', 1", "'2020-08-14T23:19:54.3002652Z'"}, {"'day'", "undefined"}});
  Expect(kAgo, {{"'day', 1", "'2020-08-12T23:19:54.3002652Z'"}, {"'day', -9223372036854775808", "undefined"}});
  ExpectKinds(kNow, "si", "'day', 1");
  ExpectKinds(kAgo, "si", "'day', 1");
  EXPECT_FALSE(kGetCurrentDateTime.is_constant);
}

TEST_F(DatesTest, Formats) {
  const auto format = [this](std::string_view date, std::string_view form) {
    return Shown(Call(kDateTimeFormat, {Value::String(date), Value::String(form)}));
  };
  EXPECT_EQ(format("2024-10-10 14:40:20", "yyyyMMdd"), "'20241010'");
  EXPECT_EQ(format("2024-10-10 14:40:20", "yyyy-MM-dd [HH:mm:ss]"), "'2024-10-10 [14:40:20]'");
  EXPECT_EQ(format("2024-10-10 14:40:20", "To\\da\\y i\\s: yyyy-MM-ddTHH:mm:ss.fff"),
            "'Today is: 2024-10-10T14:40:20.000'");
  EXPECT_EQ(format("2024-10-10 14:40:20", "To\\da\\y i\\s: yyyy-MM-ddTHH:mm:ss.FFF"),
            "'Today is: 2024-10-10T14:40:20.'");
  EXPECT_EQ(format("2024-01-05T03:04:05.12", "yy M d H m s f FFF"), "'24 1 5 3 4 5 1 12'");
  EXPECT_EQ(format("2024-01-05T15:04:05", "dddd, MMMM; ddd MMM; h hh tt t"), "'Friday, January; Fri Jan; 3 03 PM P'");
  EXPECT_EQ(format("2024-01-05T00:04:05", "hh tt"), "'12 AM'");
  EXPECT_EQ(format("2024-01-05", "\"yyyy\" yyyy"), "'yyyy 2024'");
  EXPECT_EQ(format("2024-01-05", "\"open yyyy"), "'open yyyy'");
  EXPECT_EQ(format("2024-01-05", "\\"), "'\\\\'");
  EXPECT_EQ(format("2024-01-05", ""), "''");
  EXPECT_EQ(format("x", "yyyy"), "undefined");
  ExpectKinds(kDateTimeFormat, "ss", "'2020-01-01', 'yyyy'");
}

}  // namespace
}  // namespace lapse::query::functions
