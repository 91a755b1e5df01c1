#include "tests/durability/ledger.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "ttl/policy.h"

namespace lapse::durability {
namespace {

using Kind = engine::ItemWrite::Kind;

constexpr size_t kFillerMax = 4000;
constexpr char kSeparator = ' ';

}  // namespace

void PolicyHistory::Change(DefaultTtl policy) {
  policy_ = policy;
  last_in_force_s_[policy] = now_s_;
}

void PolicyHistory::MoveTimeTo(int64_t now_s) {
  now_s_ = now_s;
  last_in_force_s_[policy_] = now_s;
}

bool PolicyHistory::HasKilled(int64_t ts_s, std::optional<int32_t> own_ttl) const {
  return std::any_of(last_in_force_s_.begin(), last_in_force_s_.end(), [&](const auto& entry) {
    const auto& [policy, until_s] = entry;
    if (!policy.has_value()) return false;
    const int32_t life_s = own_ttl.value_or(*policy);
    return life_s != ttl::kTtlForever && ts_s + life_s <= until_s;
  });
}

std::string Content::Document() const {
  std::string head = name + kSeparator + std::to_string(number) + kSeparator +
                     (own_ttl.has_value() ? std::to_string(*own_ttl) : "none") + kSeparator;
  const size_t hash = std::hash<std::string>()(head);
  const std::string unit = std::to_string(hash) + kSeparator;
  std::string filler;
  while (filler.size() < hash % kFillerMax) filler += unit;
  return head + filler;
}

std::optional<Content> Content::Parse(std::string_view document) {
  Content content;
  std::string_view rest = document;
  auto take = [&rest] {
    const size_t end = std::min(rest.find(kSeparator), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
  };
  content.name = take();
  const std::string_view number = take();
  std::from_chars(number.data(), number.data() + number.size(), content.number);
  const std::string_view own_ttl = take();
  int32_t seconds = 0;
  if (std::from_chars(own_ttl.data(), own_ttl.data() + own_ttl.size(), seconds).ec == std::errc()) {
    content.own_ttl = seconds;
  }
  // A misread document does not give the same text again.
  if (content.Document() != document) return std::nullopt;
  return content;
}

Content ItemLedger::Send(Kind kind, std::optional<int32_t> own_ttl, int64_t now_s) {
  sent_.push_back({kind, ++last_number_, own_ttl, now_s});
  return {name_, last_number_, own_ttl};
}

void ItemLedger::Acknowledged(engine::ItemVersion version) {
  const Sent write = sent_.back();
  if (write.kind == Kind::kDelete) return Become(std::nullopt);
  Become(Known{version, write.number, write.own_ttl});
}

std::optional<Finding> ItemLedger::Found(std::string_view document, engine::ItemVersion version,
                                         const PolicyHistory& policies) {
  std::optional<Content> content = Content::Parse(document);
  if (!content.has_value() || content->name != name_) return Say(Fault::kTorn, document);
  std::optional<Fault> fault = FaultOf(*content, version, policies);
  std::optional<Finding> finding;
  if (fault.has_value()) finding = Say(*fault, document.substr(0, 60));
  Become(Known{version, content->number, content->own_ttl});
  return finding;
}

std::optional<Fault> ItemLedger::FaultOf(const Content& content, engine::ItemVersion version,
                                         const PolicyHistory& policies) const {
  if (policies.HasKilled(version.ts_s, content.own_ttl)) return Fault::kRevived;
  if (known_.has_value() && content.number < known_->number) return Fault::kLost;
  if (known_.has_value() && known_->version == version && known_->number == content.number) return std::nullopt;
  if (gone_.contains(version.sequence)) return Fault::kRevived;
  for (const Sent& write : sent_) {
    if (write.kind == Kind::kDelete || write.number != content.number) continue;
    if (version.ts_s < write.earliest_s) return Fault::kTime;
    return std::nullopt;
  }
  return Fault::kUnsent;
}

std::optional<Finding> ItemLedger::Missing(const PolicyHistory& policies) {
  const bool was_known = known_.has_value() && !policies.HasKilled(known_->version.ts_s, known_->own_ttl);
  const bool may_be_gone = std::any_of(sent_.begin(), sent_.end(), [&](const Sent& write) {
    return write.kind == Kind::kDelete || policies.HasKilled(write.earliest_s, write.own_ttl);
  });
  std::optional<Finding> finding;
  if (was_known && !may_be_gone) finding = Say(Fault::kLost, "not there");
  Become(std::nullopt);
  return finding;
}

void ItemLedger::Become(std::optional<Known> known) {
  if (known_.has_value() && !(known.has_value() && known->version == known_->version))
    gone_.insert(known_->version.sequence);
  known_ = known;
  sent_.clear();
}

Finding ItemLedger::Say(Fault fault, std::string_view what) const {
  std::string known = known_.has_value() ? "write " + std::to_string(known_->number) : "none";
  return {fault, name_ + ": " + std::string(what) + "; known: " + known +
                     ", unknown outcomes since: " + std::to_string(sent_.size())};
}

}  // namespace lapse::durability
