// Removes dead items while writers run: by sweeps, dropped files and compactions.
#pragma once

#include <random>

#include "engine/engine.h"

namespace lapse::durability {

// Runs some of these steps at random. A step that fails on a failing disk is retried another time.
void PurgeSomething(engine::Engine* engine, std::mt19937_64* random);
// Runs all steps, on a disk that works. Returns false if an expired item is still there.
bool PurgeEverything(engine::Engine* engine);

}  // namespace lapse::durability
