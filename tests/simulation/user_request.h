// A request of a user against a container's throughput, as the API makes it: it asks before anything is done, and pays
// when the outcome is known.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/catalog/containers/container.h"
#include "engine/catalog/throughput/request_meter.h"
#include "engine/shard/partitions/partition.h"
#include "tests/simulation/world.h"

namespace lapse::simulation {

class UserRequest {
 public:
  UserRequest(World* world, int container) : world_(world), container_(container) {}

  // False: it was throttled and must do nothing. Sometimes it waits for as long as it is told, and is let in.
  bool Admit(const engine::Partition& partition);
  // It went on into all partitions of the container from the one that it asked.
  void ExtendToLast();
  // For an operation that the engine itself charges for. NoteEngineCharge is to be called when it was answered, before
  // the budget is looked at again.
  engine::RequestMeter* EngineMeter();
  void NoteEngineCharge();
  // What it cost: if the engine charges, that must be `price` where it was done; where it was refused, `price` is what
  // came before the refusal. Otherwise something, or all that is left of the second but for a few items to purge, or
  // much more than that.
  void Pay(const Status& done, int64_t price);
  void Pay(const Status& done) { Pay(done, 0); }

 private:
  // Checks the answer against the model.
  int64_t Ask(const engine::Partition& partition);
  int64_t RandomPrice();

  World* const world_;
  const int container_;
  engine::RequestMeter meter_;
  bool engine_charges_ = false;
  size_t first_ = 0;
  size_t last_ = 0;
};

}  // namespace lapse::simulation
