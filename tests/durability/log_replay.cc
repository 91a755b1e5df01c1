#include "tests/durability/log_replay.h"

#include <map>

#include "engine/records/changes/change_log.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::durability {
namespace {

using Replica = std::map<std::string, std::string>;  // documents by head key

// Returns false if the event creates an item that exists, or changes another version than the existing one.
bool Apply(const engine::LoggedChange& change, Replica* replica) {
  const std::string key(change.head_key);
  const auto found = replica->find(key);
  const bool creates = change.kind == engine::ChangeKind::kCreate;
  if (creates != (found == replica->end())) return false;
  if (!creates && found->second != change.previous_doc) return false;
  if (creates || change.kind == engine::ChangeKind::kReplace) {
    (*replica)[key] = change.current;
  } else {
    replica->erase(found);
  }
  return true;
}

}  // namespace

Result<std::multiset<std::string>> ReplayLog(const engine::Container& container) {
  Replica replica;
  bool in_step = true;
  for (const auto& partition : container.partitions()) {
    engine::ChangesOptions options;
    options.partition = partition->number();
    for (bool more = true; more;) {
      LAPSE_ASSIGN_OR_RETURN(engine::ChangesPage page,
                             container.ReadLog(options, [&](const engine::LoggedChange& change, engine::Place) {
                               in_step = in_step && Apply(change, &replica);
                               return true;
                             }));
      options.after = page.last;
      more = page.more;
    }
  }
  if (!in_step) return Status(Code::kCorruption, "an event of the change log does not go with those before it");
  std::multiset<std::string> documents;
  for (const auto& [key, document] : replica) documents.insert(document);
  return documents;
}

}  // namespace lapse::durability
