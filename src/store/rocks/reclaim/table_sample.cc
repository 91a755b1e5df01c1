#include "store/rocks/reclaim/table_sample.h"

#include <rocksdb/table_properties.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace lapse::store {
namespace {

constexpr std::string_view kSampleProperty = "lapse.sample";
constexpr uint8_t kVersion = 2;
constexpr size_t kSamplesMax = 64;
// A predicate decides by the first bytes of a value.
constexpr size_t kValueBytesMax = 128;

// Samples the records at every n-th byte written to the table. When there are too many samples, drops every other one
// and doubles n. A large record may be sampled at several bytes.
class Sampler : public rocksdb::TablePropertiesCollector {
 public:
  rocksdb::Status AddUserKey(const rocksdb::Slice& key, const rocksdb::Slice& value, rocksdb::EntryType type,
                             rocksdb::SequenceNumber, uint64_t) override {
    if (type != rocksdb::kEntryPut) return rocksdb::Status::OK();
    const uint64_t first = MarksIn(bytes_);
    bytes_ += key.size() + value.size();
    const uint64_t end = MarksIn(bytes_);
    if (first == end) return rocksdb::Status::OK();
    std::string record;
    PutText(&record, {key.data(), key.size()});
    PutText(&record, {value.data(), std::min(value.size(), kValueBytesMax)});
    samples_.push_back({first, end, std::move(record)});
    while (samples_.size() == kSamplesMax) Thin();
    return rocksdb::Status::OK();
  }

  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    std::string all;
    PutLittleEndian(&all, kVersion);
    for (const Sample& sample : samples_) {
      PutLittleEndian(&all, static_cast<uint32_t>(sample.end - sample.first));
      all += sample.record;
    }
    properties->insert({std::string(kSampleProperty), std::move(all)});
    return rocksdb::Status::OK();
  }

  rocksdb::UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override { return "lapse.sampler"; }

 private:
  // A record, and the number of marks that fall into it.
  struct Sample {
    uint64_t first;
    uint64_t end;
    std::string record;
  };

  // Number of marks in the first bytes: at 0, stride, 2 * stride and so on.
  uint64_t MarksIn(uint64_t bytes) const { return (bytes + stride_ - 1) / stride_; }

  // Drops every other mark.
  void Thin() {
    stride_ *= 2;
    for (Sample& sample : samples_) {
      sample.first = (sample.first + 1) / 2;
      sample.end = (sample.end + 1) / 2;
    }
    std::erase_if(samples_, [](const Sample& sample) { return sample.first == sample.end; });
  }

  uint64_t bytes_ = 0;
  uint64_t stride_ = 1;
  std::vector<Sample> samples_;
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
  const auto property = table.user_collected_properties.find(std::string(kSampleProperty));
  if (property == table.user_collected_properties.end()) return 0;
  ByteReader reader(property->second);
  if (reader.Byte() != kVersion) return 0;
  uint64_t marks = 0;
  uint64_t droppable = 0;
  while (!reader.rest().empty()) {
    const auto weight = reader.LittleEndian<uint32_t>();
    const std::string_view key = reader.Text();
    const std::string_view value = reader.Text();
    if (!reader.ok()) return 0;
    marks += weight;
    if (drop.MayDrop(key, value)) droppable += weight;
  }
  return marks == 0 ? 0 : static_cast<double>(droppable) / static_cast<double>(marks);
}

}  // namespace lapse::store
