// For tests: partition keys that are not equal and whose effective keys are.
#pragma once

#include <string>
#include <utility>

namespace lapse::engine {

// Two strings for keys of version 1, which looks at the first 100 characters.
std::pair<std::string, std::string> CollidingTextsV1();

// Two strings of ASCII letters, digits and signs for keys of version 2 and for one level of hierarchical keys. Each
// step of the hash can be undone, so that for two different first blocks a second one is found that leads to the same
// state.
std::pair<std::string, std::string> CollidingTextsV2();

}  // namespace lapse::engine
