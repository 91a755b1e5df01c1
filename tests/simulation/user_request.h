// A user's request against a container's throughput, as the API makes it: it asks for admission first, and pays when
// the outcome is known.
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

  // Returns false if the request was throttled and must do nothing. Sometimes it waits as long as it is told and is
  // admitted.
  bool Admit(const engine::Partition& partition);
  // The request continued through all partitions of the container from the one that it asked.
  void ExtendToLast();
  // For an operation that the engine itself charges for. NoteEngineCharge must be called once it was answered, before
  // the budget is used again.
  engine::RequestMeter* EngineMeter();
  void NoteEngineCharge();
  // Charges the operation. If the engine charges, that charge must be `price` for an operation that was done; for a
  // refused one, `price` is the cost before the refusal. Otherwise charges some amount, or all that is left of the
  // second but for a few items to purge, or much more than that.
  void Pay(const Status& done, int64_t price);
  void Pay(const Status& done) { Pay(done, 0); }

 private:
  // Asks for admission and checks the answer against the model.
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
