#include "engine/check/store_check.h"

#include <string>
#include <vector>

#include "engine/check/index_check.h"
#include "engine/check/item_check.h"
#include "engine/check/stored_container.h"

namespace lapse::engine {
namespace {

Status CheckIndexesOf(const StoredContainer& container, StoreReport* report) {
  const Result<IndexFindings> found = CheckIndexes(container);
  if (found.status().code() == Code::kCorruption) {
    report->findings.Add(container.Name() + ": its index cannot be read: " + found.status().message());
    return Status::Ok();
  }
  LAPSE_RETURN_IF_ERROR(found.status());
  report->index_entries += found->entries;
  report->entries_of_gone_items += found->of_gone_items;
  if (!found->sound()) {
    report->findings.Add(container.Name() + ": " + std::to_string(found->missing) + " index entries are missing and " +
                             std::to_string(found->wrong) + " are wrong; the first: " + found->first_problem,
                         found->missing + found->wrong);
  }
  return Status::Ok();
}

}  // namespace

Result<StoreReport> CheckStore(const std::vector<store::Shard*>& stores, const Derivation* derivation) {
  StoreReport report;
  LAPSE_ASSIGN_OR_RETURN(const std::vector<StoredContainer> containers, LoadStoredContainers(stores, derivation));
  for (const StoredContainer& container : containers) {
    ++report.containers;
    const int64_t before = report.findings.count();
    LAPSE_ASSIGN_OR_RETURN(const Count items, CheckItems(container, &report.findings));
    report.items += items;
    // Entries are derived from documents: while documents are damaged there is nothing to compare with.
    if (report.findings.count() == before) LAPSE_RETURN_IF_ERROR(CheckIndexesOf(container, &report));
  }
  return report;
}

}  // namespace lapse::engine
