// Writers: one write at a time, or many that wait together and share a commit. Some writes are one operation, others
// are several that succeed or fail together, and many of those fail in the middle. A few delete a whole partition key.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/catalog/view/catalog_view.h"
#include "engine/partition/expiry/sweep.h"
#include "engine/records/items/item_write.h"
#include "tests/simulation/model_write.h"
#include "tests/simulation/user_request.h"
#include "tests/simulation/world.h"

namespace lapse::simulation {

// Threads: one.
class Writers {
 public:
  explicit Writers(World* world) : world_(world) {}

  void WriteOne(int container);
  // Calls `meanwhile` now and then, between writes and between commits. It must not wait for the executor.
  void WriteMany(const std::function<void()>& meanwhile);

 private:
  struct Sent {
    Sent(World* world, int to) : container(to), target(world->Find(to)), request(world, to) {}

    const int container;
    const engine::ContainerPtr target;             // the container of that name when the write was sent
    const engine::Partition* partition = nullptr;  // of the target
    std::string partition_key;                     // of all operations
    UserRequest request;
    ModelWrite operations;
    bool erases = false;          // deletes all items of the partition key; there are no operations
    bool atomic = false;          // sent as operations that succeed or fail together
    bool engine_charges = false;  // the engine knows its price
  };
  struct Answer {
    std::shared_ptr<Sent> write;
    engine::AtomicOutcome outcome;
  };

  void Send(int container, const std::string& partition_key);
  static Verdict ApplyTo(const Sent& write, int64_t now_s, ModelContainer* container);
  // The items that a write may have changed.
  static std::vector<ModelKey> TouchedBy(const Sent& write);
  void TakeErased(const Answer& answer);
  ModelOperation RandomOperation(int container, const std::string& partition_key);
  Patch RandomPatch();
  std::optional<int64_t> RandomTag();
  engine::Precondition RandomPrecondition(const ModelItem* live);
  // Sends one step of purging in the commit order, if it need not be paid for.
  void SendSweep(int container);
  void SendIndexBuild(int container);

  // Compares the answers since the last call with the model, in commit order, and lets the model follow.
  void TakeAnswers();
  void TakeAnswer(const Answer& answer);
  bool IsOfDropped(const Answer& answer);
  // Notes that a commit left out writes that were taken for it.
  void NoteCommit(const std::vector<Answer>& answers);
  void CheckWritten(const Answer& answer);
  void CheckRead(const engine::ItemWrite& read, const engine::ItemWritten& found, const ModelItem& live);
  void CheckUntouched(const std::vector<Answer>& answers);
  // Either the group as a whole counts or none of it does. Writes that had failed by themselves never count.
  void ResolveUnknown(const std::vector<Answer>& group);
  bool LooksLike(int container, const ModelContainer& model, const std::vector<Answer>& group);

  World* const world_;
  std::vector<Answer> answers_;
  std::vector<Status> sweep_answers_;
  std::set<const engine::Partition*> sweeping_;
  std::set<const engine::Partition*> building_;         // likewise, for index builds
  std::map<const engine::Partition*, size_t> waiting_;  // writes that are not answered yet
  int64_t documents_ = 0;
};

}  // namespace lapse::simulation
