#include "server/client/check_directory.h"

#include <memory>
#include <ostream>

#include "engine/check/store_check.h"
#include "engine/shard/purge/engine_families.h"
#include "query/derive/item_derivation.h"
#include "store/rocks/directory/data_directory.h"

namespace lapse::server::client {
namespace {

// Accepts a directory of either clock: nothing here depends on time.
Result<std::unique_ptr<store::DataDirectory>> OpenOfAnyClock(const std::string& data_dir) {
  store::DataDirectoryOptions options;
  options.create = false;
  Result<std::unique_ptr<store::DataDirectory>> real = store::DataDirectory::Open(data_dir, options);
  if (real.ok() || real.status().code() != Code::kInvalidArgument) return real;
  options.test_clock = true;
  Result<std::unique_ptr<store::DataDirectory>> test = store::DataDirectory::Open(data_dir, options);
  return test.ok() ? std::move(test) : std::move(real);
}

Result<engine::StoreReport> Check(const std::string& data_dir) {
  LAPSE_ASSIGN_OR_RETURN(const std::unique_ptr<store::DataDirectory> directory, OpenOfAnyClock(data_dir));
  store::RocksOptions options;
  options.read_only = true;
  LAPSE_ASSIGN_OR_RETURN(const std::unique_ptr<store::Shard> shard,
                         directory->OpenShard(options, engine::EngineFamilies()));
  return engine::CheckStore({shard.get()}, &query::ItemDerivation());
}

// Formats a count with the singular or the plural.
std::string Several(int64_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

}  // namespace

int CheckDirectory(const std::string& data_dir, Session* session) {
  const Result<engine::StoreReport> report = Check(data_dir);
  if (!report.ok()) return session->Fail(report.status().message());
  std::ostream& out = session->out();
  out << Several(report->containers, "container", "containers") << ", " << Several(report->items.items, "item", "items")
      << " (" << report->items.bytes << " bytes), " << Several(report->index_entries, "index entry", "index entries")
      << "\n";
  if (report->entries_of_gone_items > 0) {
    out << Several(report->entries_of_gone_items, "index entry", "index entries")
        << " of items that are gone: no harm, a later purge takes them\n";
  }
  const engine::Findings& findings = report->findings;
  if (findings.count() == 0) {
    out << "no problem was found\n";
    return kDone;
  }
  out << Several(findings.count(), "problem was", "problems were") << " found:\n";
  for (const std::string& text : findings.told()) out << "  " << text << "\n";
  if (findings.told().size() == engine::Findings::kToldMax) out << "  ... and maybe more\n";
  return kFailed;
}

}  // namespace lapse::server::client
