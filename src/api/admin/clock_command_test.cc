#include "api/admin/clock_command.h"

#include <gtest/gtest.h>

namespace lapse::api::admin {
namespace {

using Action = ClockCommand::Action;

void ExpectCommand(std::string_view json, Action action, int64_t amount_ms) {
  Result<ClockCommand> command = ParseClockCommand(json);
  ASSERT_TRUE(command.ok()) << json << ": " << command.status().ToString();
  EXPECT_EQ(command->action, action) << json;
  EXPECT_EQ(command->amount_ms, amount_ms) << json;
}

TEST(ClockCommandTest, OneActionEach) {
  ExpectCommand(R"({"freeze": true})", Action::kFreeze, 0);
  ExpectCommand(R"({"resume": true})", Action::kResume, 0);
  ExpectCommand(R"({"advance": "30d"})", Action::kAdvance, 30LL * 86'400'000);
  ExpectCommand(R"({"advance": "500ms"})", Action::kAdvance, 500);
  ExpectCommand(R"({"advance": 90})", Action::kAdvance, 90'000);
  ExpectCommand(R"({"advance": 5.0})", Action::kAdvance, 5'000);
  ExpectCommand(R"({"set": 1790000000})", Action::kSet, 1'790'000'000'000);
}

TEST(ClockCommandTest, RefusesTheRest) {
  for (const char* json : {"",
                           "{}",
                           "[]",
                           "true",
                           "{",
                           R"({"freeze": true, "advance": 1})",
                           R"({"freeze": false})",
                           R"({"freeze": 1})",
                           R"({"resume": null})",
                           R"({"advance": -1})",
                           R"({"advance": 1.5})",
                           R"({"advance": "soon"})",
                           R"({"advance": "-1d"})",
                           R"({"advance": true})",
                           R"({"advance": {}})",
                           R"({"advance": 9223372036854775807})",
                           R"({"set": "now"})",
                           R"({"set": -1})",
                           R"({"set": 253402300800})",
                           R"({"set": 1e300})",
                           R"({"rewind": true})",
                           R"({"Freeze": true})"}) {
    EXPECT_EQ(ParseClockCommand(json).status().code(), Code::kInvalidArgument) << json;
  }
}

}  // namespace
}  // namespace lapse::api::admin
