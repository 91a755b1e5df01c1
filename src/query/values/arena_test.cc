#include "query/values/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "query/values/byte_builder.h"
#include "query/values/memory_pool.h"

namespace lapse::query {
namespace {

TEST(ArenaTest, GivesAlignedMemoryThatDoesNotOverlap) {
  Arena arena(1 << 20);
  char* first = arena.Allocate(3);
  char* second = arena.Allocate(5000);
  char* third = arena.Allocate(7);
  std::memset(first, 1, 3);
  std::memset(second, 2, 5000);
  std::memset(third, 3, 7);
  EXPECT_EQ(first[2], 1);
  EXPECT_EQ(second[4999], 2);
  for (char* place : {first, second, third}) EXPECT_EQ(reinterpret_cast<uintptr_t>(place) % 8, 0u);
}

TEST(ArenaTest, RefusesWhatIsBeyondTheBudget) {
  Arena arena(10'000);
  EXPECT_NE(arena.Allocate(9'000), nullptr);
  EXPECT_FALSE(arena.exhausted());
  EXPECT_EQ(arena.Allocate(2'000), nullptr);
  EXPECT_TRUE(arena.exhausted());
  EXPECT_LE(arena.held_bytes(), 10'000u);
}

TEST(ArenaTest, StaysExhausted) {
  Arena arena(100);
  EXPECT_EQ(arena.Allocate(101), nullptr);
  EXPECT_EQ(arena.Allocate(1), nullptr);
}

TEST(ArenaTest, AHugeRequestAllocatesNothing) {
  Arena arena(SIZE_MAX);
  EXPECT_EQ(arena.Allocate(SIZE_MAX - 3), nullptr);
  EXPECT_EQ(arena.held_bytes(), 0u);
}

TEST(ArenaTest, RewindUsesItsMemoryAgain) {
  Arena arena(100'000);
  arena.Allocate(100);
  const Arena::Mark mark = arena.mark();
  char* first = arena.Allocate(50'000);
  for (int row = 0; row < 1000; ++row) {
    arena.Rewind(mark);
    ASSERT_EQ(arena.Allocate(50'000), first);
  }
  EXPECT_LE(arena.held_bytes(), 100'000u);
}

TEST(ArenaTest, ARowThatNeedsMoreThanTheLastGetsIt) {
  Arena arena(100'000);
  const Arena::Mark mark = arena.mark();
  arena.Allocate(4000);
  arena.Allocate(20'000);
  arena.Rewind(mark);
  arena.Allocate(4000);
  EXPECT_NE(arena.Allocate(90'000), nullptr);
  EXPECT_LE(arena.held_bytes(), 100'000u);
}

TEST(ByteBuilderTest, GrowsToTheLastByteOfTheBudget) {
  Arena arena(10'000);
  ByteBuilder builder(&arena);
  for (int i = 0; i < 1000; ++i) builder.Append("0123");
  EXPECT_FALSE(arena.exhausted());
  EXPECT_EQ(builder.view().size(), 4000u);
  EXPECT_EQ(builder.view().substr(3996), "0123");
}

TEST(ByteBuilderTest, ExhaustsTheArenaBeyondIt) {
  Arena arena(1000);
  ByteBuilder builder(&arena);
  builder.Append(std::string(600, 'a'));
  builder.Append(std::string(600, 'b'));
  EXPECT_TRUE(arena.exhausted());
  EXPECT_EQ(builder.view(), std::string(600, 'a'));
  EXPECT_EQ(builder.Grow(SIZE_MAX), nullptr);
}

TEST(MemoryPoolTest, ArenasShareIt) {
  MemoryPool pool(100'000);
  Arena first(1 << 20, &pool);
  EXPECT_NE(first.Allocate(60'000), nullptr);
  EXPECT_EQ(pool.held(), first.held_bytes());
  {
    Arena second(1 << 20, &pool);
    EXPECT_NE(second.Allocate(10'000), nullptr);
    EXPECT_EQ(second.Allocate(60'000), nullptr);
    EXPECT_TRUE(second.exhausted());
    EXPECT_TRUE(second.refused_by_pool());
  }
  // The memory that it held is available again.
  Arena third(1 << 20, &pool);
  EXPECT_NE(third.Allocate(30'000), nullptr);
  // Beyond an arena's own budget the pool is not to blame.
  Arena small(1000, &pool);
  EXPECT_EQ(small.Allocate(2000), nullptr);
  EXPECT_FALSE(small.refused_by_pool());
}

}  // namespace
}  // namespace lapse::query
