#include "engine/partition/index/dead_stretch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "engine/partition/index/index_fixture.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/purge/engine_families.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kUp = IndexRange::Direction::kForward;
constexpr auto kDown = IndexRange::Direction::kBackward;

// Items with a number at `v`, many of which expire, and walks that learn from them.
class DeadStretchTest : public IndexFixture {
 protected:
  static constexpr int kTtl_s = 10;

  DeadStretchTest() {
    engine_.reset();
    store::FaultyOptions faults;
    faults.on_call = [this](std::string_view call) {
      if (on_call_) on_call_(call);
    };
    shard_ = std::make_unique<store::FaultyShard>(faults, EngineFamilies(&purge_filter_));
    dead_run_entries_min_ = 16;
    Restart();
    MakeIndexed(Policy({"v/?"}), -1);
  }

  // What a walk has found.
  struct Walked {
    std::vector<std::string> live;
    size_t entries = 0;
  };

  static std::unique_ptr<IndexPage> Open(const ContainerPtr& container) { return *container->OpenIndexPage(); }
  std::unique_ptr<IndexPage> Open() { return Open(Find("c")); }

  static IndexRange All(IndexRange::Direction direction) {
    IndexRange range;
    range.path = PathOf("v");
    range.direction = direction;
    return range;
  }

  // Walks like a query: `batch` entries at a time, up to `entries_max`.
  static Walked Walk(IndexPage* page, const IndexRange& range, size_t entries_max = 1'000'000, size_t batch = 7) {
    Walked walked;
    IndexReader& reader = page->Partition(0);
    const std::unique_ptr<EntryWalk> walk = reader.Walk(range);
    DeadStretch stretch(&reader, range, page->dead_run_entries_min(), [] { return Status::Ok(); });
    while (walk->Valid() && walked.entries < entries_max) {
      std::vector<ItemNumber> items;
      std::vector<std::string> values;
      for (; walk->Valid() && items.size() < batch && walked.entries < entries_max; walk->Next(), ++walked.entries) {
        items.push_back(walk->item());
        values.emplace_back(walk->value());
        stretch.Pass(*walk);
      }
      std::vector<std::optional<HeadRecord>> live;
      EXPECT_TRUE(reader.FindLive(items, &live).ok());
      stretch.Judge(live);
      for (size_t i = 0; i < live.size(); ++i) {
        if (live[i].has_value()) walked.live.push_back(values[i]);
      }
    }
    EXPECT_TRUE(walk->status().ok());
    stretch.End();
    return walked;
  }
  // Walks with a page that begins now.
  Walked Walk(const IndexRange& range, size_t entries_max = 1'000'000) {
    return Walk(Open().get(), range, entries_max);
  }
  Walked Walk(IndexRange::Direction direction = kUp) { return Walk(All(direction)); }

  static std::string Document(int value) { return "{\"v\":" + std::to_string(value) + "}"; }
  static std::string At(int value) { return ValueOf(std::to_string(value)); }
  void Keep(int value) { Create("keep" + std::to_string(value), Document(value)); }
  void Doom(int value) { Create("doom" + std::to_string(value), Document(value), kTtl_s); }
  // `count` items from `first` on, in steps of ten.
  void DoomMany(int first, int count) {
    for (int i = 0; i < count; ++i) Doom(first + 10 * i);
  }
  void Expire() {
    PassSeconds(kTtl_s);
    engine_->clock().NowMs();
  }

  DeadRuns& runs() { return Find("c")->partitions()[0]->index_memory()->dead_runs; }

  std::function<void(std::string_view)> on_call_;
};

TEST_F(DeadStretchTest, TheSecondWalkGoesPastWhatTheFirstFoundDead) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  EXPECT_EQ(Walk().entries, 101u);
  for (const auto direction : {kUp, kDown}) {
    const Walked second = Walk(direction);
    EXPECT_EQ(second.entries, 1u);
    EXPECT_THAT(second.live, ElementsAre(At(5000)));
  }
  EXPECT_EQ(runs().counts().compared, 0u);
}

TEST_F(DeadStretchTest, BackwardWalksLearnToo) {
  Keep(-5);
  DoomMany(0, 100);
  Expire();
  EXPECT_EQ(Walk(kDown).entries, 101u);
  for (const auto direction : {kUp, kDown}) {
    const Walked second = Walk(direction);
    EXPECT_EQ(second.entries, 1u);
    EXPECT_THAT(second.live, ElementsAre(At(-5)));
  }
}

TEST_F(DeadStretchTest, FewDeadEntriesAreNotRemembered) {
  DoomMany(0, 15);
  Keep(5000);
  Expire();
  Walk();
  EXPECT_THAT(runs().runs(), IsEmpty());
}

TEST_F(DeadStretchTest, WhatIsNextToARunIsAddedToIt) {
  DoomMany(0, 20);
  Keep(5000);
  Expire();
  Walk();
  DoomMany(1000, 3);
  DoomMany(-1000, 3);
  Expire();
  EXPECT_EQ(Walk().entries, 7u);
  EXPECT_EQ(Walk().entries, 1u);
  EXPECT_THAT(runs().runs(), SizeIs(1));
}

TEST_F(DeadStretchTest, RunsAroundAnItemJoinWhenItDies) {
  DoomMany(0, 20);
  Create("middle", Document(1000), 2 * kTtl_s);
  DoomMany(2000, 20);
  Keep(5000);
  Expire();
  EXPECT_THAT(Walk().live, SizeIs(2));
  EXPECT_EQ(Walk().entries, 2u);
  EXPECT_THAT(runs().runs(), SizeIs(2));
  Expire();
  Walk();
  EXPECT_THAT(runs().runs(), SizeIs(1));
  EXPECT_EQ(Walk().entries, 1u);
}

TEST_F(DeadStretchTest, RunsAroundAnItemThatWasDeletedJoin) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  Walk();
  for (int i = 0; i < 10; ++i) {
    Keep(100 * i + 5);
    Delete("keep" + std::to_string(100 * i + 5));
  }
  EXPECT_THAT(runs().runs(), SizeIs(11));
  Walk();
  EXPECT_THAT(runs().runs(), SizeIs(1));
  Keep(505);
  EXPECT_THAT(Walk().live, ElementsAre(At(505), At(5000)));
}

TEST_F(DeadStretchTest, RunsAroundAnItemThatLivesStayApart) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  Walk();
  Keep(505);
  for (const int outside : {-10, 4000}) {
    Doom(outside);
    Expire();
    for (const auto direction : {kUp, kDown, kUp}) EXPECT_THAT(Walk(direction).live, SizeIs(2));
  }
  EXPECT_THAT(Walk().live, ElementsAre(At(505), At(5000)));
}

TEST_F(DeadStretchTest, SeveralPagesMakeOneRun) {
  for (const auto direction : {kUp, kDown}) {
    const int first = direction == kUp ? 0 : 100'000;
    DoomMany(first, 100);
    Expire();
    IndexRange range = All(direction);
    (direction == kUp ? range.upper : range.lower) = At(50'000);
    for (size_t seen = 0; seen < 100; seen += 25) {
      auto page = Open();
      Walk(page.get(), range, 25);
      std::string bound;
      const auto walk = page->Partition(0).Walk(range);
      for (size_t i = 1; i < 25; ++i) walk->Next();
      bound = walk->value();
      PutCreation(&bound, walk->item());
      if (direction == kUp) {
        range.lower = bound + '\0';
      } else {
        range.upper = bound;
      }
    }
    EXPECT_THAT(runs().runs(), SizeIs(direction == kUp ? 1 : 2));
  }
  EXPECT_EQ(Walk().entries, 0u);
}

TEST_F(DeadStretchTest, ARunThatReachesBeyondTheRangeOfAWalk) {
  DoomMany(0, 100);
  Expire();
  Walk();
  for (const auto direction : {kUp, kDown}) {
    IndexRange range = All(direction);
    range.lower = At(200);
    range.upper = At(300);
    EXPECT_EQ(Walk(range).entries, 0u);
    Keep(250);
    EXPECT_THAT(Walk(range).live, ElementsAre(At(250)));
    Delete("keep250");
  }
}

TEST_F(DeadStretchTest, WhatIsPutIntoARunIsFoundAtOnce) {
  DoomMany(0, 100);
  Expire();
  Walk();
  const auto before = Open();
  Keep(505);
  const auto after = Open();
  Keep(5);
  Keep(0);
  for (const auto direction : {kUp, kDown}) {
    EXPECT_THAT(Walk(before.get(), All(direction)).live, IsEmpty());
    EXPECT_THAT(Walk(after.get(), All(direction)).live, ElementsAre(At(505)));
    EXPECT_THAT(Walk(direction).live, SizeIs(3));
    EXPECT_EQ(Walk(direction).entries, 3u);
  }
}

TEST_F(DeadStretchTest, AValueThatIsGivenToAnItemIsFoundAtOnce) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  Walk();
  Replace("keep5000", Document(505));
  EXPECT_THAT(Walk().live, ElementsAre(At(505)));
  // Another item with the id of an expired one.
  Create("doom300", Document(300));
  EXPECT_THAT(Walk().live, ElementsAre(At(300), At(505)));
}

TEST_F(DeadStretchTest, APageThatBeganBeforeTheExpiryShowsWhatLivesByItsMoment) {
  DoomMany(0, 100);
  Keep(5000);
  const auto early = Open();
  Expire();
  Walk();
  EXPECT_EQ(Walk().entries, 1u);
  EXPECT_THAT(Walk(early.get(), All(kUp)).live, SizeIs(101));
  EXPECT_THAT(Walk(early.get(), All(kDown)).live, SizeIs(101));
}

// The page's snapshot lacks the new entries, and no learner was told of them.
TEST_F(DeadStretchTest, WhatWasPutSinceThePageBeganIsNotLearnedAsDead) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  const auto page = Open();
  Keep(505);
  Keep(515);
  EXPECT_THAT(Walk(page.get(), All(kUp)).live, ElementsAre(At(5000)));
  EXPECT_GE(runs().counts().compared, 100u);
  for (const auto direction : {kUp, kDown}) {
    const Walked second = Walk(direction);
    EXPECT_THAT(second.live, SizeIs(3));
    // One dead entry is between them.
    EXPECT_LE(second.entries, 4u);
  }
}

TEST_F(DeadStretchTest, WhatIsPutWhileARunIsLookedAtAgainIsFound) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  const auto page = Open();
  Keep(505);
  int walks = 0;
  // The page's own walk, then one at its snapshot and one at the new snapshot.
  on_call_ = [&](std::string_view call) {
    if (call == "NewIterator" && ++walks == 3) Keep(705);
  };
  EXPECT_THAT(Walk(page.get(), All(kUp)).live, ElementsAre(At(5000)));
  on_call_ = nullptr;
  ASSERT_EQ(walks, 3);
  EXPECT_THAT(Walk().live, ElementsAre(At(505), At(705), At(5000)));
  EXPECT_LE(Walk().entries, 3u);
}

// A batch has reported its puts and is about to be written, so no reader sees it yet.
TEST_F(DeadStretchTest, WhatACommitUnderWayPutsIsFound) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  bool learned = false;
  on_call_ = [&](std::string_view call) {
    if (call != "Write" || std::exchange(learned, true)) return;
    EXPECT_THAT(Walk().live, ElementsAre(At(5000)));
    EXPECT_THAT(runs().runs(), SizeIs(1));
    // No page uses the run before the commit has ended.
    EXPECT_EQ(Walk().entries, 101u);
  };
  Keep(505);
  on_call_ = nullptr;
  EXPECT_TRUE(learned);
  const Walked after = Walk();
  EXPECT_THAT(after.live, ElementsAre(At(505), At(5000)));
  EXPECT_EQ(after.entries, 2u);
}

TEST_F(DeadStretchTest, ItemsOfADeletedPartitionKeyAreDeadToo) {
  DoomMany(0, 50);
  for (int i = 0; i < 50; ++i) Keep(10 * i + 1);
  std::optional<Result<ItemWritten>> erased;
  Find("c")->EraseKey(Address(*Find("c"), "pk", "").key, [&](Result<ItemWritten> done) { erased = std::move(done); });
  ASSERT_TRUE(erased->ok());
  EXPECT_THAT(Walk().live, IsEmpty());
  EXPECT_EQ(Walk().entries, 0u);
  Keep(1);
  EXPECT_THAT(Walk().live, ElementsAre(At(1)));
}

TEST_F(DeadStretchTest, AnotherIndexHasItsOwnRuns) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  Walk();
  const std::vector<DeadRun> old = runs().runs();
  ASSERT_THAT(old, SizeIs(1));
  ASSERT_TRUE(ChangePolicy(Policy({"v/?", "w/?"})).ok());
  while (engine_->BuildTurn()) continue;
  EXPECT_THAT(Walk().live, ElementsAre(At(5000)));
  ASSERT_THAT(runs().runs(), SizeIs(1));
  EXPECT_NE(runs().runs(), old);
  EXPECT_EQ(Walk().entries, 1u);
}

TEST_F(DeadStretchTest, NothingIsRememberedOverARestart) {
  DoomMany(0, 100);
  Expire();
  Walk();
  Restart();
  EXPECT_EQ(Walk().entries, 100u);
}

TEST_F(DeadStretchTest, CompactionsMayTakeWhatIsInARun) {
  DoomMany(0, 100);
  Keep(5000);
  Expire();
  Walk();
  PurgeAll();
  EXPECT_THAT(Walk().live, ElementsAre(At(5000)));
  Keep(505);
  EXPECT_THAT(Walk().live, ElementsAre(At(505), At(5000)));
  EXPECT_EQ(Check().entries, 2);
}

// An acknowledged item is found in both directions, whatever is learned meanwhile.
TEST_F(DeadStretchTest, OnManyThreadsWhatWasWrittenIsFound) {
  constexpr int kDead = 200;
  constexpr int kWrites = 60;
  DoomMany(0, kDead);
  Expire();
  engine_.reset();
  ThreadPool commits("commits", 2);
  EngineOptions options;
  options.background_sweeper = false;
  options.background_clock = false;
  options.wall = &wall_;
  options.steady = &steady_;
  options.dead_run_entries_min = 8;
  auto engine = *Engine::Open(options, {{shard_.get(), &purge_filter_}}, &commits);
  const ContainerPtr c = *engine->catalog().FindContainer("db", "c");
  const auto write = [&](ItemWrite::Kind kind, const std::string& id, int value) {
    std::promise<Status> answered;
    ItemWrite one;
    one.kind = kind;
    one.address = Address(*c, "pk", id);
    if (kind != ItemWrite::Kind::kDelete) one.document = Bson(Document(value));
    c->Write(std::move(one), [&](const Result<ItemWritten>& done) { answered.set_value(done.status()); });
    EXPECT_TRUE(answered.get_future().get().ok());
  };
  std::atomic<bool> stop{false};
  std::vector<std::thread> learners;
  for (const auto direction : {kUp, kDown}) {
    learners.emplace_back([&, direction] {
      while (!stop.load()) Walk(Open(c).get(), All(direction));
    });
  }
  std::vector<std::thread> writers;
  for (int t = 0; t < 2; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < kWrites; ++i) {
        const int value = (i * 7919) % (10 * kDead) / 10 * 10 + 1 + t;
        const std::string id = "writer" + std::to_string(t);
        write(ItemWrite::Kind::kCreate, id, value);
        EXPECT_THAT(Walk(Open(c).get(), All(i % 2 == 0 ? kUp : kDown)).live, Contains(At(value)));
        write(ItemWrite::Kind::kReplace, id, value + 4);
        EXPECT_THAT(Walk(Open(c).get(), All(i % 2 == 0 ? kUp : kDown)).live, Contains(At(value + 4)));
        write(ItemWrite::Kind::kDelete, id, 0);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  stop.store(true);
  for (std::thread& learner : learners) learner.join();
  EXPECT_GT(c->partitions()[0]->index_memory()->dead_runs.counts().learned, 0u);
  EXPECT_GT(c->partitions()[0]->index_memory()->dead_runs.counts().used, 0u);
}

}  // namespace
}  // namespace lapse::engine
