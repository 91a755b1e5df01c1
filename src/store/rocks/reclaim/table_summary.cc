#include "store/rocks/reclaim/table_summary.h"

#include <rocksdb/table_properties.h>

#include <string>
#include <string_view>
#include <utility>

namespace lapse::store {
namespace {

constexpr std::string_view kSummaryProperty = "lapse.summary";

class Summarizer : public rocksdb::TablePropertiesCollector {
 public:
  explicit Summarizer(std::unique_ptr<DropPredicate::Summary> summary) : summary_(std::move(summary)) {}

  rocksdb::Status AddUserKey(const rocksdb::Slice& key, const rocksdb::Slice& value, rocksdb::EntryType type,
                             rocksdb::SequenceNumber, uint64_t) override {
    if (type == rocksdb::kEntryPut) {
      if (summary_ != nullptr) summary_->Add({key.data(), key.size()}, {value.data(), value.size()});
    } else {
      only_puts_ = false;
    }
    return rocksdb::Status::OK();
  }

  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    if (summary_ != nullptr && only_puts_) properties->insert({std::string(kSummaryProperty), summary_->Bytes()});
    return rocksdb::Status::OK();
  }

  rocksdb::UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override { return "lapse.summarizer"; }

 private:
  const std::unique_ptr<DropPredicate::Summary> summary_;
  bool only_puts_ = true;
};

class SummarizerFactory : public rocksdb::TablePropertiesCollectorFactory {
 public:
  explicit SummarizerFactory(const DropPredicate* drop) : drop_(drop) {}

  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    return new Summarizer(drop_->NewSummary());
  }
  const char* Name() const override { return "lapse.summarizer"; }

 private:
  const DropPredicate* const drop_;
};

}  // namespace

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewTableSummarizer(const DropPredicate* drop) {
  return std::make_shared<SummarizerFactory>(drop);
}

bool MayDropTable(const rocksdb::TableProperties& table, const DropPredicate& drop) {
  if (table.num_range_deletions > 0) return false;
  const auto property = table.user_collected_properties.find(std::string(kSummaryProperty));
  if (property == table.user_collected_properties.end() || property->second.empty()) return false;
  return drop.MayDropAll(property->second);
}

}  // namespace lapse::store
