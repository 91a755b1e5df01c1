#include "server/spelling.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace lapse::server {
namespace {

// Names that people type are short, so a longer one is similar to none.
constexpr size_t kNameBytesMax = 100;

// Returns how many letters to add, remove or replace to turn one text into the other.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({exchanged, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestName(std::string_view given, const std::vector<std::string>& known) {
  if (given.size() > kNameBytesMax) return "";
  std::string nearest;
  size_t least = given.size() / 2 + 1;  // a name with more changes is another word
  for (const std::string& name : known) {
    const size_t distance = EditDistance(given, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

std::string DidYouMean(std::string_view given, const std::vector<std::string>& known) {
  const std::string nearest = NearestName(given, known);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace lapse::server
