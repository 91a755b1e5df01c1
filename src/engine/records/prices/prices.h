// What operations cost, in thousandths of a request unit (docs/request-units.md). Pure: the same operation on the same
// data always costs the same, whatever has expired beside it. All prices are whole hundredths, which is what clients
// are told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "engine/records/items/item_write.h"

namespace lapse::engine {

struct ContainerState;

constexpr int64_t kPurgeMilliRu = 20;         // one expired item
constexpr int64_t kIndexBuildMilliRu = 1000;  // one item of an index that is made anew
constexpr int64_t kMetadataMilliRu = 1000;    // databases, containers, ranges, offers
constexpr int64_t kRefusedMilliRu = 1000;     // not modified, not found, conflict: what came to nothing
constexpr int64_t kDeleteMilliRu = 5000;

// What of a document is paid for: all but this property where it is a number, as lifetimes are (see
// ContainerDefinition::lifetime_property).
size_t PricedBytes(std::string_view document, std::string_view left_out);

// What came to nothing: free when it was not let in, or when the server could not do it.
int64_t RefusedMilliRu(Code code);

int64_t PointReadMilliRu(size_t priced_bytes);
int64_t PointReadMilliRu(std::string_view document, std::string_view left_out);
// `created`: there was no live item before.
int64_t WriteMilliRu(WriteKind kind, bool created, std::string_view document, const ContainerState& state);

// The least that it can cost when it succeeds, as far as can be told before its turn.
int64_t LeastMilliRu(const ItemWrite& write, const ContainerState& state);

// One item on a page of a feed, of a query that reads everything, or of the change feed; a change has two images. Each
// by itself, so that the same items cost the same on however many pages.
int64_t PageItemMilliRu(size_t priced_bytes);
int64_t PageItemMilliRu(std::string_view document, std::string_view left_out);
// The page with its items. `paid_elsewhere`: it is a part of a page that expired records cut, which is not the reader's
// doing; another part of it pays what each page pays.
int64_t PageMilliRu(int64_t items_milli_ru, bool paid_elsewhere);

}  // namespace lapse::engine
