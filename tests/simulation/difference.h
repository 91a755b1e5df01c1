// How the checks of the simulation report that engine and model differ.
#pragma once

#include <string>
#include <utility>

namespace lapse::simulation {

// Thrown at the first difference and caught by RunSimulation, since the rest of the run would only repeat it.
struct Difference {
  std::string what;
};

[[noreturn]] inline void Fail(std::string what) {
  throw Difference{std::move(what)};
}

}  // namespace lapse::simulation
