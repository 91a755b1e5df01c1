#include "tests/simulation/user_request.h"

#include <algorithm>
#include <string>

#include "engine/records/prices/prices.h"
#include "tests/simulation/difference.h"

namespace lapse::simulation {
namespace {

constexpr int64_t kPriceMax = 2'000'000;

}  // namespace

bool UserRequest::Admit(const engine::Partition& partition) {
  const auto& all = world_->Find(container_)->partitions();
  auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.get() == &partition; });
  first_ = last_ = static_cast<size_t>(found - all.begin());
  const int64_t wait_ms = Ask(partition);
  if (wait_ms == 0) return true;
  world_->CountThrottled();
  if (world_->dice().OneIn(3)) return false;
  world_->PassMs(wait_ms - 1);
  if (Ask(partition) != 1) Fail("a throttled request could have come earlier");
  world_->PassMs(1);
  if (Ask(partition) != 0) Fail("a request that waited for as long as it was told is throttled again");
  return true;
}

int64_t UserRequest::Ask(const engine::Partition& partition) {
  const Status admitted = world_->Find(container_)->Admit(&meter_, partition);
  if (!admitted.ok() && admitted.code() != Code::kThrottled) Fail("admission: " + admitted.ToString());
  const int64_t wait_ms = meter_.retry_after_ms();
  if (admitted.ok() != (wait_ms == 0)) Fail("a request is let in and has to wait, or neither");
  if (admitted.ok()) world_->throughput(container_).partition(first_).CheckGranted();
  const int64_t expected_ms = world_->throughput(container_).partition(first_).WaitMs();
  if (wait_ms != expected_ms) {
    Fail("a request has to wait for " + std::to_string(wait_ms) + " ms, by the model for " +
         std::to_string(expected_ms));
  }
  return wait_ms;
}

void UserRequest::ExtendToLast() {
  const auto& all = world_->Find(container_)->partitions();
  last_ = all.size() - 1;
  meter_.ExtendTo(last_);
}

engine::RequestMeter* UserRequest::EngineMeter() {
  engine_charges_ = true;
  return &meter_;
}

void UserRequest::NoteEngineCharge() {
  if (engine_charges_) world_->throughput(container_).ChargeUser(first_, last_, meter_.milli_ru());
}

void UserRequest::Pay(const Status& done, int64_t price) {
  // Failures of the server are free.
  const bool faulty = !done.ok() && World::IsInjected(done);
  if (!done.ok()) price = faulty ? 0 : engine::kRefusedMilliRu + price;
  if (engine_charges_) {
    if (meter_.milli_ru() != price) {
      Fail("a request cost " + std::to_string(meter_.milli_ru()) + ", not " + std::to_string(price));
    }
  } else {
    if (done.ok()) price = RandomPrice();
    meter_.Charge(price);
    world_->throughput(container_).ChargeUser(first_, last_, price);
  }
  const engine::ContainerPtr container = world_->Find(container_);
  for (size_t i = first_; i <= last_; ++i) {
    const BudgetModel& model = world_->throughput(container_).partition(i);
    if (model.limited() && container->budget(i).Left() != model.Left())
      Fail("a budget has more or less left than it should");
  }
}

int64_t UserRequest::RandomPrice() {
  Dice& dice = world_->dice();
  const int64_t left = world_->throughput(container_).partition(first_).Left();
  switch (dice.Below(4)) {
    case 0: return std::max<int64_t>(1, left - dice.Below(5) * engine::kPurgeMilliRu);
    case 1: return 1 + dice.Below(kPriceMax);
    default: return 1 + dice.Below(kPriceMax / 10);
  }
}

}  // namespace lapse::simulation
