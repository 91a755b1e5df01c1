// Tests reads from memory while reads from the disk occupy every thread that may wait for it.
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "api/cosmos/api_fixture.h"
#include "base/executor.h"

namespace lapse::api::cosmos {
namespace {

// Keeps the work for ever, like a disk that hangs.
class HangingExecutor final : public Executor {
 public:
  void Run(std::function<void()> work) override { waiting_.push_back(std::move(work)); }
  size_t waiting() const { return waiting_.size(); }

 private:
  std::vector<std::function<void()>> waiting_;
};

class WaitingReadsApiTest : public ApiFixture {
 protected:
  HangingExecutor hanging_;
};

// No background thread turns the second here, so the first request in it has to.
TEST_F(WaitingReadsApiTest, ACachedItemIsReadInANewSecondWithoutTheDisk) {
  ASSERT_NO_FATAL_FAILURE(MakeItems(R"("defaultTtl":10)"));
  ASSERT_EQ(CreateItem(R"({"id":"i","pk":"p"})").status, 201);
  ASSERT_EQ(ReadItem("i").status, 200);
  blocking_ = &hanging_;
  StartApi(AnyHost());
  for (int second = 1; second < 10; ++second) {
    PassSeconds(1);
    EXPECT_EQ(ReadItem("i").status, 200) << second;
  }
  PassSeconds(1);
  EXPECT_EQ(ReadItem("i").status, 404) << "it has expired";
  EXPECT_EQ(hanging_.waiting(), 0U);
}

}  // namespace
}  // namespace lapse::api::cosmos
