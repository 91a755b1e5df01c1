// Items of the cache by number. A look-up touches one place before the item itself: a table of nodes would touch three.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/ids.h"

namespace lapse::engine {

struct CachedItem;

// What is found stands at the place that its hash says, or close behind it: no place in between is free. The number of
// places is a power of two, and a quarter of them or more are free.
// Threads: one at a time.
class NumberTable {
 public:
  struct Number {
    ContainerId container = 0;
    ItemNumber item = 0;

    bool operator==(const Number&) const = default;
  };
  using Item = std::shared_ptr<const CachedItem>;

  // Numbers of items rise one by one: they are spread.
  static uint64_t HashOf(const Number& number) {
    constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;
    const uint64_t spread = (number.item ^ uint64_t{number.container} << 32) * kSpread;
    return spread ^ spread >> 32;
  }

  // Null: it is not there.
  Item Find(const Number& number) const { return places_.empty() ? nullptr : places_[PlaceOf(number)].item; }

  // In place of the one that is there.
  void Put(const Number& number, Item item) {
    if (4 * (count_ + 1) > 3 * places_.size()) Grow();
    Place& place = places_[PlaceOf(number)];
    if (place.item == nullptr) ++count_;
    place = {number, std::move(item)};
  }

  void Erase(const Number& number) {
    if (places_.empty()) return;
    size_t hole = PlaceOf(number);
    if (places_[hole].item == nullptr) return;
    --count_;
    // Whatever follows without a free place moves up, unless it stands no further than it should.
    for (size_t next = After(hole); places_[next].item != nullptr; next = After(next)) {
      const size_t wanted = HashOf(places_[next].number) & (places_.size() - 1);
      if (Distance(wanted, next) < Distance(hole, next)) continue;
      places_[hole] = std::move(places_[next]);
      hole = next;
    }
    places_[hole] = {};
  }

  size_t size() const { return count_; }

 private:
  struct Place {
    Number number;
    Item item;  // null: free
  };
  static constexpr size_t kPlacesMin = 16;

  size_t After(size_t place) const { return (place + 1) & (places_.size() - 1); }
  // How far behind `from` the place is.
  size_t Distance(size_t from, size_t place) const { return (place - from) & (places_.size() - 1); }
  // Where it stands, or the free place where it would.
  size_t PlaceOf(const Number& number) const {
    size_t place = HashOf(number) & (places_.size() - 1);
    while (places_[place].item != nullptr && places_[place].number != number) place = After(place);
    return place;
  }

  void Grow() {
    std::vector<Place> old(places_.empty() ? kPlacesMin : 2 * places_.size());
    old.swap(places_);
    for (Place& place : old) {
      if (place.item != nullptr) places_[PlaceOf(place.number)] = std::move(place);
    }
  }

  std::vector<Place> places_;
  size_t count_ = 0;
};

}  // namespace lapse::engine
