// What a store must hold, as far as its answers tell.
//
// An acknowledged write is there until a later one. A write with an unknown outcome may be there or not, until a read
// has shown which. A refused write is not there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/records/items/item.h"
#include "engine/records/items/item_write.h"

namespace lapse::durability {

using DefaultTtl = std::optional<int32_t>;

enum class Fault { kLost, kTorn, kRevived, kUnsent, kTime, kMiscounted, kFailed };

struct Finding {
  Fault fault;
  std::string what;
};

// The policies that a container has had. An item is dead for ever once its deadline passed under a policy while that
// policy was in force. It suffices to know until when each policy was last in force: a deadline lies after the write,
// so an item whose deadline is reached by then existed then.
class PolicyHistory {
 public:
  PolicyHistory(DefaultTtl policy, int64_t now_s) : now_s_(now_s) { Change(policy); }

  void Change(DefaultTtl policy);
  void MoveTimeTo(int64_t now_s);
  bool HasKilled(int64_t ts_s, std::optional<int32_t> own_ttl) const;
  const DefaultTtl& policy() const { return policy_; }

 private:
  int64_t now_s_;
  DefaultTtl policy_;
  std::map<DefaultTtl, int64_t> last_in_force_s_;
};

// Documents whose whole content follows from a few values, so that a torn or mixed one is recognised.
struct Content {
  std::string name;
  uint64_t number = 0;
  std::optional<int32_t> own_ttl;

  std::string Document() const;
  // Returns nullopt if the document is not exactly that of some content.
  static std::optional<Content> Parse(std::string_view document);
};

// One item. Threads: one at a time.
class ItemLedger {
 public:
  explicit ItemLedger(std::string name) : name_(std::move(name)) {}

  // Returns the content of the next write, before it is sent. `now_s`: a lower bound of the current time.
  Content Send(engine::ItemWrite::Kind kind, std::optional<int32_t> own_ttl, int64_t now_s);
  // Notes the outcome of that write: one of these.
  void Acknowledged(engine::ItemVersion version);
  void Refused() { sent_.pop_back(); }
  void LeftUnknown() {}

  // Notes what a read found while nothing moved. From then on that is what is known.
  std::optional<Finding> Found(std::string_view document, engine::ItemVersion version, const PolicyHistory& policies);
  std::optional<Finding> Missing(const PolicyHistory& policies);

  const std::string& name() const { return name_; }

 private:
  struct Known {
    engine::ItemVersion version;
    uint64_t number;
    std::optional<int32_t> own_ttl;
  };
  struct Sent {
    engine::ItemWrite::Kind kind;
    uint64_t number;
    std::optional<int32_t> own_ttl;
    int64_t earliest_s;
  };

  void Become(std::optional<Known> known);
  std::optional<Fault> FaultOf(const Content& content, engine::ItemVersion version,
                               const PolicyHistory& policies) const;
  Finding Say(Fault fault, std::string_view what) const;

  const std::string name_;
  uint64_t last_number_ = 0;
  std::optional<Known> known_;
  std::vector<Sent> sent_;   // writes since the known content, with unknown outcomes
  std::set<uint64_t> gone_;  // sequence numbers of versions that were overwritten, deleted or found expired
};

}  // namespace lapse::durability
