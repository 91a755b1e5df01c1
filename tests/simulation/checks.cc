#include "tests/simulation/checks.h"

#include <set>
#include <string>

#include "engine/expiry/census.h"
#include "tests/simulation/difference.h"

namespace lapse::simulation {
namespace {

// Longer than any debt that users can have.
constexpr int kDrainSecondsMax = 1000;

void CheckCount(const std::string& what, const Result<engine::Count>& counted, const engine::Count& expected) {
  if (!counted.ok()) Fail("census: " + counted.status().ToString());
  if (*counted != expected) {
    Fail("the census counts " + std::to_string(counted->items) + " items (" + std::to_string(counted->bytes) +
         " bytes) " + what + ", the model has " + std::to_string(expected.items) + " (" +
         std::to_string(expected.bytes) + ")");
  }
}

}  // namespace

Status CheckItem(World* world, int container, const ModelKey& key) {
  Result<engine::Item> read = world->Find(container)->Read(world->AddressOf(container, key));
  if (!read.ok() && read.status().code() != Code::kNotFound && world->IsFault(read.status())) return read.status();
  const ModelContainer& model = world->model(container);
  const ModelItem* live = model.Find(key);
  if ((live != nullptr) != read.ok()) {
    Fail(std::string(read.ok() ? "a dead item is visible: " : "a live item is gone: ") + Text(key) + " in " +
         ContainerName(container) + " (default " + Text(model.default_ttl()) + ")");
  }
  if (live != nullptr && (read->document != live->document || read->meta.version != live->version)) {
    Fail("another version of an item is visible");
  }
  return read.status();
}

Status CheckFeed(World* world, int container) {
  std::multiset<std::string> seen, expected;
  engine::FeedOptions page;
  page.items_max = static_cast<int>(1 + world->dice().Below(20));
  do {
    auto result =
        world->Find(container)->ReadFeed(page, [&](const engine::Item& item) { seen.emplace(item.document); });
    if (!result.ok() && world->IsFault(result.status())) return result.status();
    if (!result.ok()) Fail("feed: " + result.status().ToString());
    page.after = result->resume_after;
  } while (!page.after.empty());
  for (const auto& [key, item] : world->model(container).items()) expected.insert(item.document);
  if (seen != expected) {
    Fail("the feed of " + ContainerName(container) + " shows " + std::to_string(seen.size()) +
         " items, the model has " + std::to_string(expected.size()));
  }
  return Status::Ok();
}

void CheckCensus(World* world, int container) {
  const ModelContainer& model = world->model(container);
  engine::Census census = world->Find(container)->TakeCensus();
  CheckCount("live", census.Live(), model.CountIf([](const ModelItem&) { return true; }));
  const int64_t then_s = world->now_s() + world->dice().Below(50);
  CheckCount("expiring", census.ExpiringUntil(then_s * 1000 + world->dice().Below(1000)),
             model.CountIf(
                 [&](const ModelItem& item) { return ModelContainer::IsExpired(item, model.default_ttl(), then_s); }));
  const std::optional<int32_t> other = world->RandomDefaultTtl();
  CheckCount("expiring under another default", census.ExpiringUnder(other), model.CountIf([&](const ModelItem& item) {
    return ModelContainer::IsExpired(item, other, world->now_s());
  }));
}

bool AnyBacklog(World* world) {
  for (int container = 0; container < kContainers; ++container) {
    Result<engine::Count> expired = world->Find(container)->TakeCensus().Expired();
    if (!expired.ok()) Fail("census: " + expired.status().ToString());
    if (expired->items > 0) return true;
  }
  return false;
}

bool DrainBacklog(World* world) {
  const int seconds_max = world->rate_limiting() ? kDrainSecondsMax : 0;
  for (int seconds = 0; !world->engine().clock().held(); ++seconds) {
    while (world->RunSweeper()) continue;
    if (!AnyBacklog(world)) return true;
    if (seconds == seconds_max) Fail("the backlog does not drain");
    world->PassMs(1000);
  }
  return false;
}

}  // namespace lapse::simulation
