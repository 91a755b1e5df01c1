#include "engine/records/partitions/partition_policy.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kPartitionPolicyVersion = 1;

}  // namespace

std::string EncodePartitionPolicy(const PartitionPolicy& policy) {
  std::string bytes(1, static_cast<char>(kPartitionPolicyVersion));
  PutLittleEndian(&bytes, policy.revision);
  PutLittleEndian(&bytes, policy.moment_ms);
  PutLittleEndian(&bytes, policy.log_since);
  policy.dead.Encode(&bytes);
  return bytes;
}

Result<PartitionPolicy> DecodePartitionPolicy(std::string_view bytes) {
  ByteReader reader(bytes);
  const uint8_t version = reader.Byte();
  PartitionPolicy policy;
  policy.revision = reader.LittleEndian<uint64_t>();
  policy.moment_ms = reader.LittleEndian<int64_t>();
  policy.log_since = reader.LittleEndian<Sequence>();
  std::string_view rest = reader.rest();
  const bool decoded =
      reader.ok() && version == kPartitionPolicyVersion && ttl::Floors::Decode(&rest, &policy.dead) && rest.empty();
  if (!decoded) return Status(Code::kCorruption, "malformed record of a partition's policy");
  return policy;
}

Status PassRevisions(const ttl::PolicyHistory& history, Sequence last_sequence, PartitionPolicy* policy) {
  const ttl::PolicyHistory::Epoch* before = history.Find(policy->revision);
  if (before == nullptr) return {Code::kCorruption, "a partition belongs to a policy that its container does not know"};
  while (const ttl::PolicyHistory::Epoch* after = history.Find(policy->revision + 1)) {
    ttl::RaiseForChange(before->policy, after->policy, after->from_ms, last_sequence, &policy->dead);
    if (after->log_begins) policy->log_since = last_sequence;
    policy->revision = after->revision;
    policy->moment_ms = after->from_ms;
    before = after;
  }
  return Status::Ok();
}

}  // namespace lapse::engine
