#include "base/check.h"

#include <gtest/gtest.h>

namespace lapse {
namespace {

TEST(Check, GoesOnWhereTheConditionHolds) {
  LAPSE_CHECK(1 + 1 == 2, "arithmetic");
}

TEST(CheckDeathTest, EndsTheProcessWhereItDoesNot) {
  EXPECT_DEATH(LAPSE_CHECK(1 + 1 == 3, "arithmetic"), "");
}

}  // namespace
}  // namespace lapse
