#include "tests/simulation/writers.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/records/prices/prices.h"
#include "engine/shard/partitions/partition.h"
#include "tests/simulation/checks.h"
#include "tests/simulation/difference.h"

namespace lapse::simulation {
namespace {

using engine::ItemWrite;
using engine::Precondition;

constexpr int64_t kWritesMax = 14;  // at a time

engine::Partition& PartitionOf(World* world, int container, const std::string& partition_key) {
  return world->Find(container)->PartitionFor(world->AddressOf(container, {partition_key, ""}).key.epk);
}

int64_t PriceOf(const ItemWrite& operation, const engine::ItemWritten& written, const engine::ContainerState& state) {
  if (operation.kind != ItemWrite::Kind::kRead) {
    return engine::WriteMilliRu(operation.kind, written.created, written.document, state);
  }
  return written.unchanged ? engine::kRefusedMilliRu : engine::PointReadMilliRu(written.document.size());
}

std::string Describe(const ModelWrite& write) {
  std::string text;
  for (const ModelOperation& operation : write) {
    text +=
        (text.empty() ? "" : ", ") + std::to_string(static_cast<int>(operation.write.kind)) + " " + Text(operation.key);
  }
  return text;
}

}  // namespace

void Writers::WriteOne(int container) {
  Send(container, world_->RandomKey().first);
  TakeAnswers();
}

void Writers::WriteMany(const std::function<void()>& meanwhile) {
  Dice& dice = world_->dice();
  SeededExecutor& executor = world_->executor();
  SeededExecutor::Hold hold(&executor);
  // Most writes meet in one partition, and many in one logical partition.
  const int home = static_cast<int>(dice.Below(kContainers));
  const std::string partition_key = world_->RandomKey().first;
  int64_t to_send = 2 + dice.Below(kWritesMax - 1);
  while (to_send > 0 || executor.anything_waits()) {
    if (to_send > 0 && (!executor.anything_waits() || !dice.OneIn(6))) {
      const int container = dice.OneIn(5) ? static_cast<int>(dice.Below(kContainers)) : home;
      Send(container, dice.OneIn(3) ? world_->RandomKey().first : partition_key);
      if (dice.OneIn(8)) SendSweep(container);
      if (dice.OneIn(8)) SendIndexBuild(container);
      --to_send;
    } else {
      executor.RunOne();
      TakeAnswers();
    }
    if (dice.OneIn(10)) meanwhile();
  }
}

void Writers::Send(int container, const std::string& partition_key) {
  Dice& dice = world_->dice();
  auto write = std::make_shared<Sent>(world_, container);
  engine::Partition& partition = PartitionOf(world_, container, partition_key);
  if (!write->request.Admit(partition)) return;
  write->partition = &partition;
  write->partition_key = partition_key;
  ++waiting_[&partition];
  if (dice.OneIn(20)) {
    write->erases = true;
    write->engine_charges = dice.OneIn(2);
    auto done = [this, write](Result<engine::ItemWritten> written) {
      engine::AtomicOutcome outcome;
      outcome.status = written.status();
      if (written.ok()) outcome.written.push_back(*std::move(written));
      answers_.push_back({write, std::move(outcome)});
    };
    return write->target->EraseKey(world_->AddressOf(container, {partition_key, ""}).key, std::move(done),
                                   write->engine_charges ? write->request.EngineMeter() : nullptr);
  }
  const int64_t operations = dice.OneIn(3) ? 2 + dice.Below(4) : 1;
  for (int64_t i = 0; i < operations; ++i) write->operations.push_back(RandomOperation(container, partition_key));
  write->atomic = operations > 1 || dice.OneIn(2);
  write->engine_charges = dice.OneIn(2);
  engine::RequestMeter* meter = write->engine_charges ? write->request.EngineMeter() : nullptr;
  if (!write->atomic) {
    auto done = [this, write](Result<engine::ItemWritten> written) {
      engine::AtomicOutcome outcome;
      outcome.status = written.status();
      if (written.ok()) outcome.written.push_back(*std::move(written));
      answers_.push_back({write, std::move(outcome)});
    };
    return write->target->Write(write->operations.front().write, std::move(done), meter);
  }
  std::vector<ItemWrite> all;
  for (const ModelOperation& operation : write->operations) all.push_back(operation.write);
  write->target->WriteAtomically(
      std::move(all),
      [this, write](engine::AtomicOutcome outcome) {
        answers_.push_back({write, std::move(outcome)});
      },
      meter);
}

Verdict Writers::ApplyTo(const Sent& write, int64_t now_s, ModelContainer* container) {
  if (!write.erases) return Apply(write.operations, now_s, container);
  container->EraseAll(write.partition_key);
  return {};
}

std::vector<ModelKey> Writers::TouchedBy(const Sent& write) {
  std::vector<ModelKey> keys;
  for (const ModelOperation& operation : write.operations) keys.push_back(operation.key);
  for (int id = 0; write.erases && id < kIds; ++id) keys.emplace_back(write.partition_key, "id" + std::to_string(id));
  return keys;
}

ModelOperation Writers::RandomOperation(int container, const std::string& partition_key) {
  Dice& dice = world_->dice();
  ModelOperation operation;
  operation.key = {partition_key, world_->RandomKey().second};
  ItemWrite& write = operation.write;
  write.kind = static_cast<ItemWrite::Kind>(dice.Below(6));
  write.address = world_->AddressOf(container, operation.key);
  if (write.kind == ItemWrite::Kind::kPatch) {
    operation.patch = RandomPatch();
    write.patch = ToEdits(operation.patch);
  } else if (write.kind != ItemWrite::Kind::kDelete && write.kind != ItemWrite::Kind::kRead) {
    write.own_ttl = world_->RandomOwnTtl();
    write.document = ToBson({.number = ++documents_,
                             .counter = 0,
                             .tag = RandomTag(),
                             .text = std::string(static_cast<size_t>(dice.Below(50)), 'x'),
                             .ttl = write.own_ttl});
  }
  if (dice.OneIn(6)) write.indexing = static_cast<engine::IndexingDirective>(dice.Below(3));
  if (dice.OneIn(5)) write.precondition = RandomPrecondition(world_->model(container).Find(operation.key));
  return operation;
}

std::optional<int64_t> Writers::RandomTag() {
  constexpr int64_t kTags = 20;
  const int64_t tag = world_->dice().Below(kTags);
  return tag == 0 ? std::nullopt : std::optional(tag);
}

Patch Writers::RandomPatch() {
  Dice& dice = world_->dice();
  Patch patch;
  patch.number = ++documents_;
  patch.counted = dice.Below(10) - 5;
  if (dice.OneIn(3)) patch.tag = RandomTag();
  if (const std::optional<int32_t> ttl = world_->RandomOwnTtl()) {
    patch.ttl = Patch::Ttl::kSet;
    patch.ttl_s = *ttl;
  } else if (dice.OneIn(4)) {
    patch.ttl = Patch::Ttl::kRemove;
  }
  return patch;
}

Precondition Writers::RandomPrecondition(const ModelItem* live) {
  Dice& dice = world_->dice();
  Precondition condition;
  switch (dice.Below(6)) {
    case 0: condition.kind = Precondition::Kind::kExists; break;
    case 1: condition.kind = Precondition::Kind::kAbsent; break;
    case 2: condition.kind = Precondition::Kind::kDiffers; break;
    default: condition.kind = Precondition::Kind::kMatches; break;
  }
  // The current version. It may be outdated when the write is committed.
  if (live != nullptr && dice.OneIn(2)) condition.version = live->version;
  return condition;
}

void Writers::SendSweep(int container) {
  Dice& dice = world_->dice();
  engine::Partition& partition = PartitionOf(world_, container, world_->RandomKey().first);
  if (partition.spare_units().limited() || world_->engine().clock().held()) return;
  if (!sweeping_.insert(&partition).second) return;
  engine::SweepLimit limit;
  if (dice.OneIn(2)) limit.items_max = 1 + dice.Below(4);
  if (dice.OneIn(2)) limit.cohorts_max = static_cast<int>(1 + dice.Below(4));
  partition.QueueSweep(limit, [this, &partition](const Result<engine::SweepOutcome>& swept) {
    sweeping_.erase(&partition);
    sweep_answers_.push_back(swept.status());
  });
}

// Builds a few items at a time, so that writes come between the steps.
void Writers::SendIndexBuild(int container) {
  engine::Partition& partition = PartitionOf(world_, container, world_->RandomKey().first);
  if (partition.spare_units().limited() || !building_.insert(&partition).second) return;
  engine::IndexBuildLimit limit;
  limit.items_max = 1 + world_->dice().Below(4);
  partition.QueueIndexBuild(limit, [this, &partition](const Result<engine::IndexBuildOutcome>& built) {
    building_.erase(&partition);
    sweep_answers_.push_back(built.status());
  });
}

void Writers::TakeAnswers() {
  for (const Status& swept : std::exchange(sweep_answers_, {})) {
    // A step that waited may have lost its container.
    if (!swept.ok() && swept.code() != Code::kNotFound && !world_->IsFault(swept)) Fail("sweep: " + swept.ToString());
  }
  std::vector<Answer> answers = std::exchange(answers_, {});
  NoteCommit(answers);
  std::erase_if(answers, [this](const Answer& answer) { return IsOfDropped(answer); });
  // The engine has charged for all of them by now.
  for (const Answer& answer : answers) answer.write->request.NoteEngineCharge();
  std::vector<Answer> unknown;
  for (const Answer& answer : answers) {
    if (answer.outcome.status.code() == Code::kUnknownOutcome) unknown.push_back(answer);
    TakeAnswer(answer);
  }
  if (!unknown.empty() && unknown.size() != answers.size()) Fail("a part of a commit has an unknown outcome");
  if (!unknown.empty()) ResolveUnknown(unknown);
  if (answers.size() > 1) world_->CountGroup();
  if (world_->dice().OneIn(3)) CheckUntouched(answers);
}

// A group takes writes until their documents reach the limit. If the committed ones are smaller and others were waiting
// behind them, the batch itself had become too large.
void Writers::NoteCommit(const std::vector<Answer>& answers) {
  if (answers.empty()) return;
  size_t document_bytes = 0;
  for (const Answer& answer : answers) {
    for (const ModelOperation& operation : answer.write->operations) document_bytes += operation.write.document.size();
    --waiting_[answer.write->partition];
  }
  const bool others_waited = waiting_[answers.back().write->partition] > 0;
  if (others_waited && document_bytes < world_->group_bytes_max()) world_->CountPutBack();
}

bool Writers::IsOfDropped(const Answer& answer) {
  if (answer.write->target == world_->Find(answer.write->container)) return false;
  const Status& status = answer.outcome.status;
  if (status.code() != Code::kNotFound && !world_->IsFault(status)) {
    Fail("a write to a container that was deleted: " + status.ToString());
  }
  return true;
}

void Writers::TakeAnswer(const Answer& answer) {
  const Sent& write = *answer.write;
  const Status& status = answer.outcome.status;
  if (world_->IsFault(status)) return answer.write->request.Pay(status, 0);
  if (write.erases) return TakeErased(answer);
  ModelContainer& model = world_->model(write.container);
  ModelContainer after = model;
  const Verdict verdict = Apply(write.operations, world_->now_s(), &after);
  const bool as_expected = status.code() == verdict.code &&
                           (!write.atomic || answer.outcome.failed_at == verdict.failed_at) &&
                           answer.outcome.written.size() == (status.ok() ? write.operations.size() : 0);
  if (!as_expected) {
    Fail("write of " + Describe(write.operations) + " in " + ContainerName(write.container) + " (default " +
         Text(model.default_ttl()) + "): expected " + std::string(CodeName(verdict.code)) + " at " +
         std::to_string(verdict.failed_at) + ", got " + status.ToString() + " at " +
         std::to_string(answer.outcome.failed_at));
  }
  int64_t price = 0;
  if (status.ok()) {
    CheckWritten(answer);
    for (size_t i = 0; i < write.operations.size(); ++i) {
      const ItemWrite& operation = write.operations[i].write;
      const engine::ItemWritten& written = answer.outcome.written[i];
      price += PriceOf(operation, written, *write.target->state());
    }
  } else if (verdict.failed_at > 0) {
    world_->CountRolledBack();
    // The operations before the failed one are paid for. The failed one adds the price of a refusal.
    for (size_t i = 0; i < verdict.failed_at; ++i) price += answer.outcome.milli_ru.at(i);
  }
  if (status.code() == Code::kUniqueKeyTaken) world_->CountUniqueConflict();
  answer.write->request.Pay(status, price);
}

void Writers::TakeErased(const Answer& answer) {
  const Sent& write = *answer.write;
  const Status& status = answer.outcome.status;
  if (!status.ok()) Fail("deletion of the key " + write.partition_key + ": " + status.ToString());
  const engine::ItemWritten& written = answer.outcome.written.front();
  ModelContainer& model = world_->model(write.container);
  ModelContainer::Numbers& numbers = model.numbers(write.partition->number());
  if (written.meta.lsn <= numbers.last_lsn) Fail("an LSN was given twice");
  if (written.partition_lsn != write.partition->last_lsn()) Fail("a deletion is answered with another LSN");
  numbers.last_lsn = written.meta.lsn;
  model.EraseAll(write.partition_key);
  model.MoveTimeTo(world_->now_s());
  world_->CountKeyErased();
  answer.write->request.Pay(status, engine::kDeleteMilliRu);
}

// Also lets the model follow, operation by operation.
void Writers::CheckWritten(const Answer& answer) {
  const Sent& write = *answer.write;
  ModelContainer& model = world_->model(write.container);
  const engine::Partition& partition = PartitionOf(world_, write.container, write.operations.front().key.first);
  ModelContainer::Numbers& numbers = model.numbers(partition.number());
  engine::Lsn lsn = 0;  // of the whole write; 0: nothing was written yet
  for (size_t i = 0; i < write.operations.size(); ++i) {
    const ModelKey& key = write.operations[i].key;
    const ItemWrite& operation = write.operations[i].write;
    const engine::ItemWritten& written = answer.outcome.written[i];
    const ModelItem* live = model.Find(key);
    if (written.created != (live == nullptr)) Fail("`created` is wrong");
    if (written.partition_lsn != partition.last_lsn()) Fail("a write is answered with another LSN of its partition");
    if (live != nullptr && written.meta.number != live->number) Fail("an item has got another number");
    if (operation.kind == ItemWrite::Kind::kRead) {
      CheckRead(operation, written, *live);
      continue;
    }
    if (lsn == 0) {
      lsn = written.meta.lsn;
      if (lsn <= numbers.last_lsn) Fail("an LSN was given twice");
      numbers.last_lsn = lsn;
    }
    if (written.meta.lsn != lsn) Fail("the operations of one write have several LSNs");
    if (operation.kind == ItemWrite::Kind::kDelete) {
      if (written.meta.version != live->version) Fail("another version was deleted");
      if (!written.document.empty()) Fail("a delete gives a document back");
      model.Erase(key);
      continue;
    }
    if (live == nullptr) numbers.NoteCreated(partition.number(), written.meta.number);
    if (written.meta.version.sequence <= numbers.last_sequence) Fail("a sequence number was given twice");
    numbers.last_sequence = written.meta.version.sequence;
    if (written.meta.version.ts_s != world_->now_s()) Fail("_ts is not the time of the commit");
    if (operation.kind == ItemWrite::Kind::kPatch) world_->CountPatched();
    ModelItem item = *Written(write.operations[i], live, world_->now_s());
    if (written.document != item.document) Fail("another document is given back than the one that was written");
    item.version = written.meta.version;
    item.lsn = lsn;
    item.number = written.meta.number;
    model.Put(key, std::move(item));
  }
  model.MoveTimeTo(world_->now_s());
}

void Writers::CheckRead(const ItemWrite& read, const engine::ItemWritten& found, const ModelItem& live) {
  world_->CountReadInWrite();
  if (found.meta.version != live.version) Fail("a read in a write finds another version");
  if (found.unchanged != IsKnown(read.precondition, live)) Fail("`unchanged` is wrong");
  if (found.unchanged) return;
  if (found.document != live.document) Fail("a read in a write finds another document");
  if (found.meta.lsn != live.lsn) Fail("a read in a write finds another LSN");
}

void Writers::CheckUntouched(const std::vector<Answer>& answers) {
  const bool faults = world_->SetFaults(false);
  for (const Answer& answer : answers) {
    if (answer.outcome.status.ok()) continue;
    for (const ModelKey& key : TouchedBy(*answer.write)) {
      static_cast<void>(CheckItem(world_, answer.write->container, key));
    }
  }
  world_->SetFaults(faults);
}

void Writers::ResolveUnknown(const std::vector<Answer>& group) {
  const bool faults = world_->SetFaults(false);
  const int container = group.front().write->container;
  ModelContainer& model = world_->model(container);
  model.numbers(group.front().write->partition->number()).creations.reset();
  // Tries nothing, everything, or everything but the writes for which a read of the store failed, with as few of these
  // as possible.
  std::vector<uint32_t> choices;
  for (uint32_t left_out = 0; left_out < 1U << group.size(); ++left_out) choices.push_back(left_out);
  std::stable_sort(choices.begin(), choices.end(),
                   [](uint32_t a, uint32_t b) { return std::popcount(a) < std::popcount(b); });
  bool found = LooksLike(container, model, group);
  for (size_t i = 0; !found && i < choices.size(); ++i) {
    ModelContainer after = model;
    for (size_t write = 0; write < group.size(); ++write) {
      if ((choices[i] >> write & 1) != 0) continue;
      static_cast<void>(ApplyTo(*group[write].write, world_->now_s(), &after));
    }
    found = LooksLike(container, after, group);
    if (found) model = std::move(after);
  }
  if (!found) Fail("a group with an unknown outcome left something else behind");
  for (const Answer& answer : group) {
    for (const ModelOperation& operation : answer.write->operations) {
      const ModelItem* live = model.Find(operation.key);
      if (live == nullptr) continue;
      const engine::Item read = *world_->Find(container)->Read(world_->AddressOf(container, operation.key));
      ModelItem item = *live;
      item.ts_s = read.meta.version.ts_s;
      item.version = read.meta.version;
      item.lsn = read.meta.lsn;
      item.number = read.meta.number;
      model.Put(operation.key, std::move(item));
    }
  }
  world_->SetFaults(faults);
}

bool Writers::LooksLike(int container, const ModelContainer& model, const std::vector<Answer>& group) {
  return std::all_of(group.begin(), group.end(), [&](const Answer& answer) {
    const std::vector<ModelKey> keys = TouchedBy(*answer.write);
    return std::all_of(keys.begin(), keys.end(), [&](const ModelKey& key) {
      const Result<engine::Item> read = world_->Find(container)->Read(world_->AddressOf(container, key));
      if (!read.ok() && read.status().code() != Code::kNotFound) Fail("read: " + read.status().ToString());
      const ModelItem* live = model.Find(key);
      return live == nullptr ? !read.ok() : read.ok() && read->document == live->document;
    });
  });
}

}  // namespace lapse::simulation
