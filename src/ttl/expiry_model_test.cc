// Checks "expired is for ever" against a model without floors, which follows the specification literally: it examines
// every record at every tick of the clock, and remembers which have died.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "ttl/policy.h"

namespace lapse::ttl {
namespace {

constexpr int64_t kTick_ms = 250;  // all times of the model are multiples of it, so no deadline falls between ticks
constexpr int kSequences = 2000;
constexpr int kStepsPerSequence = 60;

class Model {
 public:
  struct Record {
    int64_t ts_s;
    std::optional<int32_t> own_ttl;
    std::map<RuleId, int64_t> dates_ms;
    bool died = false;
  };

  std::optional<int32_t> default_ttl;
  std::map<RuleId, int64_t> date_rules_s;
  std::vector<Record> records;

  void Look(int64_t now_ms) {
    for (Record& record : records) record.died = record.died || Expires(record, now_ms);
  }

 private:
  bool Expires(const Record& record, int64_t now_ms) const {
    for (auto [rule, base_ms] : record.dates_ms) {
      auto found = date_rules_s.find(rule);
      if (found != date_rules_s.end() && base_ms + found->second * 1000 <= now_ms) return true;
    }
    if (!default_ttl) return false;
    int32_t effective_ttl = record.own_ttl ? *record.own_ttl : *default_ttl;
    return effective_ttl != -1 && record.ts_s + effective_ttl <= now_ms / 1000;
  }
};

// Runs the model and the implementation side by side through the same random operations.
class TwinContainers {
 public:
  explicit TwinContainers(uint32_t seed) : random_(seed) {}

  void Step() {
    switch (Below(12)) {
      case 0:
      case 1:
      case 2: Write(); break;
      case 3:
      case 4: ChangeDefault(); break;
      case 5: AddDateRule(); break;
      case 6: ChangeDateRule(); break;
      case 7: DropDateRule(); break;
      case 8: Purge(); break;
      case 9: Restart(); break;
      default: Tick(); break;
    }
    model_.Look(now_ms_);
  }

  // Returns the first record on which the two disagree.
  std::optional<size_t> Difference() const {
    for (size_t i = 0; i < lifetimes_.size(); ++i) {
      if (IsDead(lifetimes_[i], policy_, dead_, purged_, now_ms_) != model_.records[i].died) return i;
    }
    return std::nullopt;
  }

  size_t deaths() const {
    return static_cast<size_t>(
        std::count_if(model_.records.begin(), model_.records.end(), [](auto& r) { return r.died; }));
  }
  size_t records() const { return lifetimes_.size(); }
  bool has_floors() const { return !dead_.empty(); }

 private:
  int64_t Below(int64_t limit) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit)); }

  std::optional<int32_t> RandomTtl() {
    int64_t kind = Below(6);
    if (kind == 0) return std::nullopt;
    if (kind == 1) return kTtlForever;
    if (kind == 2) return kTtlMax_s;
    return static_cast<int32_t>(1 + Below(12));
  }

  int64_t RandomDate() { return now_ms_ + (Below(80) - 50) * kTick_ms; }

  void Write() {
    Model::Record record{.ts_s = now_ms_ / 1000, .own_ttl = std::nullopt, .dates_ms = {}};
    if (Below(2) == 0) record.own_ttl = RandomTtl();
    Lifetime lifetime{.ts_s = record.ts_s, .sequence = ++lsn_, .own_ttl = record.own_ttl, .dates = {}};
    for (const Policy::DateRule& rule : policy_.date_rules) {
      if (Below(3) == 0) continue;
      int64_t base_ms = RandomDate();
      record.dates_ms[rule.rule] = base_ms;
      lifetime.dates.push_back({rule.rule, base_ms});
    }
    model_.records.push_back(record);
    lifetimes_.push_back(lifetime);
  }

  void Change(const Policy& after) {
    RaiseForChange(policy_, after, now_ms_, lsn_, &dead_);
    policy_ = after;
    model_.default_ttl = after.default_ttl;
    model_.date_rules_s.clear();
    for (const Policy::DateRule& rule : after.date_rules) model_.date_rules_s[rule.rule] = rule.expire_after_s;
  }

  void ChangeDefault() {
    Policy after = policy_;
    after.default_ttl = RandomTtl();
    Change(after);
  }

  // Building the index gives existing records their base.
  void AddDateRule() {
    RuleId rule = next_rule_++;
    for (size_t i = 0; i < lifetimes_.size(); ++i) {
      if (Below(3) == 0) continue;
      int64_t base_ms = RandomDate();
      model_.records[i].dates_ms[rule] = base_ms;
      lifetimes_[i].dates.push_back({rule, base_ms});
    }
    Policy after = policy_;
    after.date_rules.push_back({rule, Below(15)});
    Change(after);
  }

  void ChangeDateRule() {
    if (policy_.date_rules.empty()) return;
    Policy after = policy_;
    after.date_rules[static_cast<size_t>(Below(static_cast<int64_t>(after.date_rules.size())))].expire_after_s =
        Below(15);
    Change(after);
  }

  void DropDateRule() {
    if (policy_.date_rules.empty()) return;
    Policy after = policy_;
    after.date_rules.erase(after.date_rules.begin() + Below(static_cast<int64_t>(after.date_rules.size())));
    Change(after);
  }

  // Simulates a sweep that has reached the end of every queue.
  void Purge() { RaiseForChange(policy_, Policy{}, now_ms_, lsn_, &purged_); }

  void Restart() {
    std::string bytes;
    policy_.Encode(&bytes);
    dead_.Encode(&bytes);
    purged_.Encode(&bytes);
    for (const Lifetime& lifetime : lifetimes_) EncodeLifetime(lifetime, &bytes);
    std::string_view view = bytes;
    ASSERT_TRUE(Policy::Decode(&view, &policy_));
    ASSERT_TRUE(Floors::Decode(&view, &dead_));
    ASSERT_TRUE(Floors::Decode(&view, &purged_));
    for (Lifetime& lifetime : lifetimes_) ASSERT_TRUE(DecodeLifetime(&view, &lifetime));
    ASSERT_TRUE(view.empty());
  }

  void Tick() {
    for (int64_t ticks = 1 + Below(16); ticks > 0; --ticks) {
      now_ms_ += kTick_ms;
      model_.Look(now_ms_);
    }
  }

  std::mt19937_64 random_;
  int64_t now_ms_ = 1'700'000'000'000;
  uint64_t lsn_ = 0;
  RuleId next_rule_ = kFirstDateRule;
  Model model_;
  Policy policy_;
  Floors dead_;
  Floors purged_;
  std::vector<Lifetime> lifetimes_;
};

TEST(ExpiryModelTest, ARecordIsDeadExactlyOnceItHasEverExpired) {
  size_t deaths = 0;
  size_t records = 0;
  size_t with_floors = 0;
  for (uint32_t seed = 0; seed < kSequences; ++seed) {
    TwinContainers twins(seed);
    for (int step = 0; step < kStepsPerSequence; ++step) {
      twins.Step();
      auto difference = twins.Difference();
      ASSERT_FALSE(difference) << "seed " << seed << ", step " << step << ", record " << *difference;
    }
    deaths += twins.deaths();
    records += twins.records();
    with_floors += twins.has_floors();
  }
  // The sequences are useful only if many records die, many live, and floors take effect.
  EXPECT_GT(deaths, records / 4);
  EXPECT_LT(deaths, records * 9 / 10);
  EXPECT_GT(with_floors, kSequences / 2U);
}

}  // namespace
}  // namespace lapse::ttl
