// Three ways to lay an item down in a shard. Only bench/layout.cc includes this.
//
//   together       item key -> head and document
//   together+feed  the same, and commit order -> item key: what the expiry of inheriting items and the feed of latest
//                  versions need, and heads and bodies have already
//   heads+bodies   item key -> head; commit order -> item key and document
//
// Keys and records are the engine's own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "bench/layout/layout_db.h"
#include "bench/measure/items.h"
#include "bench/measure/report.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "store/shard.h"
#include "ttl/lifetime.h"

namespace lapse::bench {

// Judges which records are dead by the sequence number in their lifetime header, as floors do.
class DeadBySequence final : public store::DropPredicate {
 public:
  enum class Pattern { kNone, kAll, kOlderHalf, kRandomHalf };

  void Kill(Pattern pattern, uint64_t last_sequence) {
    last_sequence_ = last_sequence;
    pattern_ = pattern;
  }

  bool MayDrop(std::string_view, std::string_view value) const override {
    Pattern pattern = pattern_.load(std::memory_order_relaxed);
    if (pattern == Pattern::kNone) return false;
    thread_local ttl::Lifetime lifetime;
    value.remove_prefix(1);
    return ttl::DecodeLifetime(&value, &lifetime) && IsDead(pattern, lifetime.sequence);
  }

 private:
  bool IsDead(Pattern pattern, uint64_t sequence) const {
    switch (pattern) {
      case Pattern::kNone: return false;
      case Pattern::kAll: return sequence <= last_sequence_;
      case Pattern::kOlderHalf: return sequence <= last_sequence_ / 2;
      case Pattern::kRandomHalf: return Mix64(sequence) % 2 == 0;
    }
    return false;
  }

  std::atomic<Pattern> pattern_{Pattern::kNone};
  std::atomic<uint64_t> last_sequence_{0};
};

constexpr engine::ContainerId kContainer = 7;
constexpr engine::PartitionId kPartition{kContainer, 0};

inline ttl::Lifetime LifetimeAt(uint64_t sequence) {
  ttl::Lifetime lifetime;
  lifetime.ts_s = 1'750'000'000;
  lifetime.sequence = sequence;
  return lifetime;
}

inline engine::HeadRecord HeadAt(uint64_t sequence, std::string_view document) {
  return {.lifetime = LifetimeAt(sequence),
          .number = sequence,
          .partition = kPartition.number,
          .document_bytes = static_cast<uint32_t>(document.size())};
}

// Threads: one. Reuses its buffers, so that only the store is measured.
class Layout {
 public:
  virtual ~Layout() = default;
  virtual std::string_view name() const = 0;
  virtual std::vector<store::FamilyOptions> Families(const store::DropPredicate* drop) const = 0;
  virtual void Put(std::string_view key, std::string_view document, uint64_t sequence, LayoutDb::Group* group) = 0;
  // Reads the present item first, as a write must.
  virtual void Replace(LayoutDb& db, std::string_view key, std::string_view document, uint64_t sequence,
                       LayoutDb::Group* group) = 0;
  virtual bool Read(LayoutDb& db, std::string_view key, engine::HeadRecord* head, std::string* document) = 0;
  // Reclaims the space of dead records. All up to `dead_below` are dead (0: they are scattered).
  virtual void Reclaim(LayoutDb& db, uint64_t dead_below) = 0;

 protected:
  std::string record_;
};

class Together final : public Layout {
 public:
  explicit Together(bool with_feed) : with_feed_(with_feed) {}

  std::string_view name() const override { return with_feed_ ? "together+feed" : "together"; }

  std::vector<store::FamilyOptions> Families(const store::DropPredicate* drop) const override {
    std::vector<store::FamilyOptions> families = {{.name = "item", .drop = drop}};
    if (with_feed_) families.push_back({.name = "feed", .drop = drop, .point_lookups = false});
    return families;
  }

  void Put(std::string_view key, std::string_view document, uint64_t sequence, LayoutDb::Group* group) override {
    record_.clear();
    engine::EncodeHead(HeadAt(sequence, document), &record_);
    record_.append(document);
    group->Put(0, key, record_);
    if (!with_feed_) return;
    record_.clear();
    engine::EncodeQueueEntry({LifetimeAt(sequence), static_cast<uint32_t>(document.size()), key}, &record_);
    group->Put(1, engine::BodyKey(kPartition, LifetimeAt(sequence)), record_);
  }

  void Replace(LayoutDb& db, std::string_view key, std::string_view document, uint64_t sequence,
               LayoutDb::Group* group) override {
    if (!Read(db, key, &old_, &old_document_)) Fail("an item is missing");
    if (with_feed_) group->Delete(1, engine::BodyKey(kPartition, old_.lifetime));
    Put(key, document, sequence, group);
  }

  bool Read(LayoutDb& db, std::string_view key, engine::HeadRecord* head, std::string* document) override {
    // Without dates or an own ttl all heads have the same size.
    static const size_t kHeadBytes = [] {
      std::string sample;
      engine::EncodeHead(HeadAt(1, ""), &sample);
      return sample.size();
    }();
    return db.Get(0, key, [&](std::string_view value) {
      if (!engine::DecodeHead(value.substr(0, kHeadBytes), head).ok()) Fail("a head is damaged");
      document->assign(value.substr(kHeadBytes));
    });
  }

  void Reclaim(LayoutDb& db, uint64_t dead_below) override {
    db.Compact(0);
    if (!with_feed_) return;
    if (dead_below > 0) return db.ReclaimBelow(1, engine::BodyKey(kPartition, LifetimeAt(dead_below)));
    db.Compact(1);
  }

 private:
  const bool with_feed_;
  engine::HeadRecord old_;
  std::string old_document_;
};

class HeadsAndBodies final : public Layout {
 public:
  std::string_view name() const override { return "heads+bodies"; }

  std::vector<store::FamilyOptions> Families(const store::DropPredicate* drop) const override {
    return {{.name = "head", .drop = drop}, {.name = "body", .drop = drop}};
  }

  void Put(std::string_view key, std::string_view document, uint64_t sequence, LayoutDb::Group* group) override {
    record_.clear();
    engine::EncodeHead(HeadAt(sequence, document), &record_);
    group->Put(0, key, record_);
    record_.clear();
    engine::EncodeBody(
        {.lifetime = LifetimeAt(sequence), .lsn = sequence, .number = sequence, .head_key = key, .document = document},
        &record_);
    group->Put(1, engine::BodyKey(kPartition, LifetimeAt(sequence)), record_);
  }

  void Replace(LayoutDb& db, std::string_view key, std::string_view document, uint64_t sequence,
               LayoutDb::Group* group) override {
    if (!ReadHead(db, key, &old_)) Fail("an item is missing");
    group->Delete(1, engine::BodyKey(kPartition, old_.lifetime));
    Put(key, document, sequence, group);
  }

  bool Read(LayoutDb& db, std::string_view key, engine::HeadRecord* head, std::string* document) override {
    if (!ReadHead(db, key, head)) return false;
    return db.Get(1, engine::BodyKey(kPartition, head->lifetime), [&](std::string_view value) {
      engine::BodyRecord body;
      if (!engine::DecodeBody(value, &body).ok()) Fail("a body is damaged");
      document->assign(body.document);
    });
  }

  void Reclaim(LayoutDb& db, uint64_t dead_below) override {
    if (dead_below > 0) db.ReclaimBelow(1, engine::BodyKey(kPartition, LifetimeAt(dead_below)));
    if (dead_below == 0) db.Compact(1);
    db.Compact(0);
  }

 private:
  bool ReadHead(LayoutDb& db, std::string_view key, engine::HeadRecord* head) {
    return db.Get(0, key, [&](std::string_view value) {
      if (!engine::DecodeHead(value, head).ok()) Fail("a head is damaged");
    });
  }

  engine::HeadRecord old_;
};

}  // namespace lapse::bench
