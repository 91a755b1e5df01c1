// How a part of the simulation says that the engine does not do what the model does.
#pragma once

#include <string>
#include <utility>

namespace lapse::simulation {

// Thrown at the first difference, caught by RunSimulation: the rest of the run would only repeat it.
struct Difference {
  std::string what;
};

[[noreturn]] inline void Fail(std::string what) {
  throw Difference{std::move(what)};
}

}  // namespace lapse::simulation
