#include "engine/changes/change_log_writer.h"

#include <utility>

#include "engine/items/keys.h"

namespace lapse::engine {

void ChangeLogWriter::Begin(const ContainerState& state, int64_t now_ms) {
  on_ = state.definition.change_log_retention_s > 0;
  now_ms_ = now_ms;
}

Result<std::string> ChangeLogWriter::DocumentOf(const ttl::Lifetime& stored) {
  if (!on_) return std::string();
  if (auto found = written_.find(stored.lsn); found != written_.end()) return found->second;
  store::PinnedValue value;
  LAPSE_RETURN_IF_ERROR(shard_->Get(kBodyFamily, BodyKey(container_, stream_, stored), &value));
  BodyRecord body;
  LAPSE_RETURN_IF_ERROR(DecodeBody(value.view(), &body));
  return std::string(body.document);
}

void ChangeLogWriter::Written(const HeadRecord& now, std::string_view head_key, std::string_view document,
                              const HeadRecord* replaced, std::string_view before, store::Batch* batch) {
  if (!on_) return;
  written_[now.lifetime.lsn] = document;
  LoggedChange change;
  change.kind = replaced == nullptr ? ChangeKind::kCreate : ChangeKind::kReplace;
  change.lsn = now.lifetime.lsn;
  change.time_ms = now_ms_;
  change.rid = now.rid;
  if (replaced != nullptr) change.previous = MetaOf(*replaced).version;
  change.head_key = head_key;
  change.current = document;
  change.previous_doc = before;
  Add(change, batch);
}

void ChangeLogWriter::Deleted(uint64_t lsn, const HeadRecord& deleted, std::string_view head_key,
                              std::string_view before, store::Batch* batch) const {
  Gone(ChangeKind::kDelete, lsn, now_ms_, MetaOf(deleted), head_key, before, batch);
}

void ChangeLogWriter::Expired(uint64_t lsn, int64_t died_ms, ItemMeta expired, std::string_view head_key,
                              std::string_view before, store::Batch* batch) const {
  Gone(ChangeKind::kExpiry, lsn, died_ms, expired, head_key, before, batch);
}

void ChangeLogWriter::Gone(ChangeKind kind, uint64_t lsn, int64_t time_ms, const ItemMeta& gone,
                           std::string_view head_key, std::string_view before, store::Batch* batch) const {
  LoggedChange change;
  change.kind = kind;
  change.lsn = lsn;
  change.time_ms = time_ms;
  change.rid = gone.rid;
  change.previous = gone.version;
  change.head_key = head_key;
  change.previous_doc = before;
  Add(change, batch);
}

void ChangeLogWriter::Add(LoggedChange change, store::Batch* batch) const {
  if (!on_) return;
  change.logged_ms = now_ms_;
  std::string value;
  EncodeLoggedChange(change, &value);
  batch->Put(kLogFamily, LogKey(container_, stream_, change.lsn), value);
}

}  // namespace lapse::engine
