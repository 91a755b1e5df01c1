#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

namespace lapse {
namespace {

TEST(StatusTest, DefaultIsOk) {
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), Code::kOk);
  EXPECT_EQ(status.ToString(), "ok");
}

TEST(StatusTest, ErrorKeepsCodeAndMessage) {
  Status status(Code::kNotFound, "no item 'a'");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(status.message(), "no item 'a'");
  EXPECT_EQ(status.ToString(), "not found: no item 'a'");
}

TEST(StatusTest, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(Code::kInternal); ++code) {
    std::string_view name = CodeName(static_cast<Code>(code));
    EXPECT_NE(name, "?");
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

TEST(ResultTest, HoldsAValueOrAStatus) {
  Result<int> value = 7;
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, 7);
  Result<int> error = Status(Code::kTooLarge, "8 > 7");
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.status().code(), Code::kTooLarge);
}

TEST(ResultTest, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 3);
}

TEST(ResultTest, ArrowReachesTheValue) {
  Result<std::string> result = std::string("abc");
  EXPECT_EQ(result->size(), 3U);
  result->push_back('d');
  EXPECT_EQ(*result, "abcd");
}

Status FailIf(bool fail) {
  return fail ? Status(Code::kUnavailable, "stopping") : Status::Ok();
}

Status RunSteps(bool fail, int* steps) {
  ++*steps;
  LAPSE_RETURN_IF_ERROR(FailIf(fail));
  ++*steps;
  return {};
}

TEST(StatusMacrosTest, ReturnIfErrorLeavesAtTheError) {
  int steps = 0;
  EXPECT_TRUE(RunSteps(false, &steps).ok());
  EXPECT_EQ(steps, 2);
  steps = 0;
  EXPECT_EQ(RunSteps(true, &steps).code(), Code::kUnavailable);
  EXPECT_EQ(steps, 1);
}

Result<int> Half(int number) {
  if (number % 2 != 0) return Status(Code::kInvalidArgument, "odd");
  return number / 2;
}

Result<int> Quarter(int number) {
  LAPSE_ASSIGN_OR_RETURN(int half, Half(number));
  LAPSE_ASSIGN_OR_RETURN(half, Half(half));
  return half;
}

TEST(StatusMacrosTest, AssignOrReturnPassesTheValueOrTheError) {
  ASSERT_TRUE(Quarter(12).ok());
  EXPECT_EQ(*Quarter(12), 3);
  EXPECT_EQ(Quarter(6).status().message(), "odd");
}

}  // namespace
}  // namespace lapse
