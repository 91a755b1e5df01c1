#include "store/rocks/table_sample.h"

#include <rocksdb/table_properties.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace lapse::store {
namespace {

constexpr std::string_view kProperty = "lapse.sample";
constexpr size_t kSamplesMax = 64;  // kept: from half of this to all of it
// A predicate decides by the front of a value.
constexpr size_t kValueBytesMax = 128;

// Every n-th record; when there are too many, every other one of them goes and n doubles.
class Sampler : public rocksdb::TablePropertiesCollector {
 public:
  rocksdb::Status AddUserKey(const rocksdb::Slice& key, const rocksdb::Slice& value, rocksdb::EntryType type,
                             rocksdb::SequenceNumber, uint64_t) override {
    if (type != rocksdb::kEntryPut || seen_++ % stride_ != 0) return rocksdb::Status::OK();
    std::string sample;
    PutText(&sample, {key.data(), key.size()});
    PutText(&sample, {value.data(), std::min(value.size(), kValueBytesMax)});
    samples_.push_back(std::move(sample));
    if (samples_.size() == kSamplesMax) Thin();
    return rocksdb::Status::OK();
  }

  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    std::string all;
    for (const std::string& sample : samples_) all += sample;
    properties->insert({std::string(kProperty), std::move(all)});
    return rocksdb::Status::OK();
  }

  rocksdb::UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override { return "lapse.sampler"; }

 private:
  void Thin() {
    size_t kept = 0;
    for (size_t i = 0; i < samples_.size(); i += 2) samples_[kept++].swap(samples_[i]);
    samples_.resize(kept);
    stride_ *= 2;
  }

  uint64_t seen_ = 0;
  uint64_t stride_ = 1;
  std::vector<std::string> samples_;
};

class SamplerFactory : public rocksdb::TablePropertiesCollectorFactory {
 public:
  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context) override { return new Sampler(); }
  const char* Name() const override { return "lapse.sampler"; }
};

}  // namespace

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewTableSampler() {
  return std::make_shared<SamplerFactory>();
}

double DroppableShare(const rocksdb::TableProperties& table, const DropPredicate& drop) {
  const auto property = table.user_collected_properties.find(std::string(kProperty));
  if (property == table.user_collected_properties.end()) return 0;
  ByteReader reader(property->second);
  size_t samples = 0;
  size_t droppable = 0;
  while (!reader.rest().empty()) {
    const std::string_view key = reader.Text();
    const std::string_view value = reader.Text();
    if (!reader.ok()) return 0;
    ++samples;
    if (drop.MayDrop(key, value)) ++droppable;
  }
  return samples == 0 ? 0 : static_cast<double>(droppable) / static_cast<double>(samples);
}

}  // namespace lapse::store
