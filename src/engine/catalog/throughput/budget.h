// The request units of one partition: a pool of its own, or its claim on a shared one.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "engine/catalog/throughput/request_unit_pool.h"
#include "engine/records/prices/spare_units.h"

namespace lapse::engine {

// Threads: any; LeftOver and SpendLeftOver: one at a time, for the sweeper.
class Budget final : public SpareUnits {
 public:
  // A pool of its own, with this rate in thousandths of a request unit per second; 0: without limit.
  Budget(const SteadyClock& steady, int64_t milli_ru_per_second)
      : pool_(std::make_shared<RequestUnitPool>(steady, milli_ru_per_second)) {}
  explicit Budget(std::shared_ptr<RequestUnitPool> pool) : pool_(std::move(pool)) {}

  void SetRate(int64_t milli_ru_per_second) { pool_->SetRate(milli_ru_per_second); }
  bool limited() const override { return pool_->limited(); }

  // For users; see RequestUnitPool.
  int64_t Admit(int64_t ahead_milli_ru = 0) { return pool_->Admit(ahead_milli_ru); }
  void Charge(int64_t milli_ru) { pool_->Charge(milli_ru); }
  int64_t Left() { return pool_->Left(); }
  int64_t LeftOverNow() { return pool_->LeftOverNow(); }

  // For the sweeper: its part of what users left of one second, or up to `wanted` if that is more.
  int64_t LeftOver(int64_t wanted) override { return pool_->LeftOver(&claim_, wanted); }
  void SpendLeftOver(int64_t milli_ru) override { pool_->SpendLeftOver(&claim_, milli_ru); }

 private:
  std::shared_ptr<RequestUnitPool> pool_;
  RequestUnitPool::Claim claim_;
};

}  // namespace lapse::engine
