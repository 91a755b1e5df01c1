// What makes dead items go, beside those who write: sweeps, files that are dropped, compactions.
#pragma once

#include <random>

#include "engine/engine.h"

namespace lapse::durability {

// Something of it, by chance. What fails on a failing disk is tried again another time.
void PurgeSomething(engine::Engine* engine, std::mt19937_64* random);
// All of it, on a disk that works. False: something that has expired is still there.
bool PurgeEverything(engine::Engine* engine);

}  // namespace lapse::durability
