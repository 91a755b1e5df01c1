// Prices of operations, in thousandths of a request unit (docs/request-units.md). Pure: the same operation on the same
// data always costs the same, regardless of expired items around it. All prices are whole hundredths, the precision
// that clients see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "engine/records/items/item_write.h"

namespace lapse::engine {

struct ContainerState;

constexpr int64_t kPurgeMilliRu = 20;         // one expired item
constexpr int64_t kIndexBuildMilliRu = 1000;  // one item of an index being built
constexpr int64_t kMetadataMilliRu = 1000;    // databases, containers, ranges, offers
constexpr int64_t kRefusedMilliRu = 1000;     // an operation without effect: not modified, not found, conflict
constexpr int64_t kDeleteMilliRu = 5000;

// Returns the bytes of a document that are charged: all but the property `left_out` if it is a number, as lifetimes are
// (see ContainerDefinition::lifetime_property).
size_t PricedBytes(std::string_view document, std::string_view left_out);

// The price of a failed operation: free if it was not admitted or the server failed.
int64_t RefusedMilliRu(Code code);

int64_t PointReadMilliRu(size_t priced_bytes);
int64_t PointReadMilliRu(std::string_view document, std::string_view left_out);
// `created`: there was no live item before.
int64_t WriteMilliRu(WriteKind kind, bool created, std::string_view document, const ContainerState& state);

// The minimum price of a successful operation, as far as is known in advance.
int64_t LeastMilliRu(const ItemWrite& write, const ContainerState& state);

// One item on a page of a feed, of a query that reads everything, or of the change feed; a change has two images. Items
// are priced one by one, so that they cost the same on any number of pages.
int64_t PageItemMilliRu(size_t priced_bytes);
int64_t PageItemMilliRu(std::string_view document, std::string_view left_out);
// A page with its items. `paid_elsewhere`: this is a part of a page that expired records cut short, through no fault of
// the reader. Another part pays the base price of the page.
int64_t PageMilliRu(int64_t items_milli_ru, bool paid_elsewhere);

}  // namespace lapse::engine
