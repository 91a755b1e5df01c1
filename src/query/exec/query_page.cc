#include "query/exec/query_page.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/records/prices/prices.h"
#include "query/exec/finding/access.h"
#include "query/exec/items/items_again.h"
#include "query/exec/order_rule.h"
#include "query/exec/paging/ordered_page.h"
#include "query/exec/paging/page_run.h"
#include "query/exec/paging/shared_walk.h"
#include "query/exec/paging/start_row.h"
#include "query/exec/paging/streamed_page.h"
#include "query/exec/paging/unfinished_walk.h"
#include "query/exec/positions/key_cut.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/exec/stages/query_evaluator.h"

namespace lapse::query::exec {
namespace {

// What a page has seen goes into the continuation if it is no more than this: a header that clients send back has room
// for some 16 KB.
constexpr size_t kSeenBytesMax = 8 * 1024;
// So much a position may be in all: as text it gets a third longer, and there are other headers.
constexpr size_t kPositionBytesMax = 10'000;
// The time of a page doubles each time that its walk begins again, so often at the most.
constexpr uint8_t kDoublingsMax = 10;

// Of positions within a walk: by the order of creation, or by that of an index.
constexpr char kByNumber = 'n';
constexpr char kInOrder = 'o';

// What is not in the plan: how its items are found, and which of them cost something.
struct Sources {
  ItemSource* items;
  OrderedItems* ordered = nullptr;  // the same, if they come in the order of the page
  bool leave_out_undefined = false;
  std::optional<uint64_t> counted = {};  // so many items are passed over without a look at them
  PaidItems paid = {};
  bool first_row_is_enough = false;
};

// Where a page begins.
struct Start {
  std::optional<PagePosition> behind;      // nullopt: at the start
  std::optional<PagePosition::Walk> walk;  // that an earlier page could not finish
};

Result<Start> StartOf(const PageShape& shape, const std::string& after) {
  Start start;
  if (after.empty()) return start;
  LAPSE_ASSIGN_OR_RETURN(PagePosition from, PagePosition::Decode(after));
  if (from.kind == PagePosition::Kind::kUnfinished) {
    if (shape.streams) return OfAnotherQuery();
    start.walk = std::move(from.walk);
    if (!start.walk->behind_row) return start;
    from.kind = PagePosition::Kind::kOrdered;
  }
  const bool keys_fit =
      from.cut.has_value() ? from.keys.size() <= shape.order.size() : from.keys.size() == shape.order.size();
  const bool fits = shape.streams ? from.kind == PagePosition::Kind::kStreamed
                                  : from.kind == PagePosition::Kind::kOrdered && keys_fit;
  if (!fits) return OfAnotherQuery();
  start.behind = std::move(from);
  return start;
}

uint8_t OneMore(uint8_t begun_again) {
  return static_cast<uint8_t>(std::min(begun_again + 1, int{kDoublingsMax}));
}

// A walk of several pages, as the page that goes on with it finds it.
struct WalkSoFar {
  uint8_t begun_again = 0;
  bool goes_on = false;  // false: from the start
  bool in_order = false;
  std::string after;
  SeenSoFar seen;  // looks at the position, or at what was kept
  std::shared_ptr<const std::string> kept;

  void BeginAgain() {
    const uint8_t times = OneMore(begun_again);
    *this = WalkSoFar();
    begun_again = times;
  }
};

Status FindWalk(const PageShape& shape, const PagePosition::Walk& walk, KeptWalks* kept_walks, WalkSoFar* found) {
  found->begun_again = std::min(walk.begun_again, kDoublingsMax);
  if (walk.after.empty()) return Status::Ok();
  const char kind = walk.after.front();
  if (kind != kByNumber && kind != kInOrder) return OfAnotherQuery();
  std::string_view seen = walk.seen;
  if (const std::optional<std::string_view> name = NameOfKept(seen)) {
    found->kept = kept_walks == nullptr ? nullptr : kept_walks->Find(*name);
    if (found->kept == nullptr) {
      found->BeginAgain();
      return Status::Ok();
    }
    seen = *found->kept;
  }
  found->goes_on = true;
  found->in_order = kind == kInOrder;
  found->after = walk.after.substr(1);
  LAPSE_ASSIGN_OR_RETURN(found->seen, DecodeSeen(seen, shape.order.size()));
  return Status::Ok();
}

// Whether the items that were chosen are walked over in the way that the walk began with.
bool Fits(const Access& access, const WalkSoFar& walk) {
  if (!walk.in_order) return access.ordered() == nullptr;
  return access.ordered() != nullptr && access.ordered()->IsPosition(walk.after);
}

// The position of a page whose walk is to go on at `next`. Without what it has seen, or where there is no room for
// that, it begins again.
std::string PositionWithin(const Start& start, const WalkSoFar& walk, const std::string& next,
                           std::optional<std::string> seen, KeptWalks* kept_walks) {
  PagePosition position = start.behind.value_or(PagePosition());
  position.kind = PagePosition::Kind::kUnfinished;
  // A client may have named it by values of any length.
  if (!position.cut.has_value()) SetKeys(std::vector<Value>(position.keys), &position);
  if (seen.has_value()) {
    position.walk = {walk.begun_again, start.behind.has_value(), next, {}};
    if (seen->size() <= kSeenBytesMax) {
      position.walk.seen = *seen;
      std::string bytes = position.Encode();
      if (bytes.size() <= kPositionBytesMax) return bytes;
    }
    const std::string name = kept_walks == nullptr ? std::string() : kept_walks->Keep(*std::move(seen));
    if (!name.empty()) {
      position.walk.seen = EncodeKept(name);
      return position.Encode();
    }
  }
  position.walk = {OneMore(walk.begun_again), start.behind.has_value(), {}, {}};
  return position.Encode();
}

// What only pages over containers have: walks that go on with the next page, and that may be shared.
struct LongWalk {
  const Start& start;
  const WalkSoFar& walk;
  ItemsAgain* again;  // null: there are none
  // What was seen may be in the hands of a client, who can change it: it is judged whether items are of the scope.
  bool may_show_again;
  Access* access;
  const QueryOptions& options;
  ScannedItem* shown;
  engine::Meter* meter;
};

// Walks all items from `after` on.
Result<std::string> WalkAll(const SharedWalk::Page& page, ItemSource* items, LongWalk* long_walk,
                            const PageWatch& watch, const std::string& after, PageRun<OrderedPage>* run,
                            PageRead* read) {
  const PageHelp* const help = long_walk == nullptr ? nullptr : &long_walk->options.help;
  if (help != nullptr && help->helpers != nullptr && help->new_item && run->can_be_shared()) {
    LAPSE_ASSIGN_OR_RETURN(Access::Shares shares, long_walk->access->Divide(after));
    if (shares.list.size() > 1 && shares.items >= long_walk->options.thresholds.shared_items) {
      SharedWalk shared(page, *long_walk->access, std::move(shares), long_walk->options, long_walk->shown,
                        long_walk->meter, watch);
      return shared.Walk(after, run, read);
    }
  }
  return run->Scan(items, after, true, read);
}

Result<PageRead> ReadPage(const plan::Plan& plan, const PageShape& shape, const PagePosition* start,
                          const Sources& sources, const PageOptions& options, const PageWatch& watch,
                          LongWalk* long_walk, const TakeResult& take) {
  QueryEvaluator evaluator(plan.slot_count(), options.settings);
  evaluator.set_watch(&watch);
  Arena lasting(options.settings.memory_bytes_max, options.settings.pool);
  PageRead read;

  if (shape.streams) {
    StreamedPage page(shape, start, options.results_max, &evaluator, take);
    PageRun<StreamedPage> run(sources.paid, &evaluator, &lasting, shape, watch, &page);
    if (!run.scans()) {
      run.RunOnce();
      LAPSE_RETURN_IF_ERROR(evaluator.status());
      if (page.full()) read.page.resume_after = page.ResumeAt({});
      return read;
    }
    if (page.complete()) return read;  // TOP 0
    LAPSE_ASSIGN_OR_RETURN(std::string next,
                           run.Scan(sources.items, start == nullptr ? std::string() : start->feed, false, &read));
    LAPSE_RETURN_IF_ERROR(evaluator.status());
    if (page.complete() || (!page.full() && next.empty())) return read;
    // A page that ended within its first item begins there again.
    if (next.empty() && start != nullptr) next = start->feed;
    read.page.resume_after = page.ResumeAt(std::move(next));
    return read;
  }

  const OrderedPage::Limits limits{options.results_max, options.settings.memory_bytes_max, sources.leave_out_undefined,
                                   options.settings.pool};
  OrderedPage page(shape, start, limits, &evaluator);
  PageRun<OrderedPage> run(sources.paid, &evaluator, &lasting, shape, watch, &page);
  if (sources.first_row_is_enough) {
    sources.ordered->WalkUntilRow(run.gave_row());
  } else if (sources.ordered != nullptr) {
    sources.ordered->WalkUpTo(&page);
  }
  if (run.scans()) {
    if (sources.counted.has_value()) {
      run.CountItems(*sources.counted);
    } else {
      std::string after;
      if (long_walk != nullptr && long_walk->walk.goes_on) {
        LAPSE_RETURN_IF_ERROR(run.GoOnFrom(long_walk->walk.seen, long_walk->again));
        after = long_walk->walk.after;
      }
      LAPSE_ASSIGN_OR_RETURN(const std::string next, WalkAll({plan, shape, start, limits, sources.paid}, sources.items,
                                                             long_walk, watch, after, &run, &read));
      LAPSE_RETURN_IF_ERROR(evaluator.status());
      if (long_walk != nullptr && !next.empty() && !run.stopped()) {
        read.unfinished = true;
        KeptWalks* const kept_walks = long_walk->options.kept_walks;
        const size_t seen_bytes_max = kept_walks == nullptr ? kSeenBytesMax : kept_walks->each_bytes_max();
        read.page.resume_after = PositionWithin(long_walk->start, long_walk->walk,
                                                (sources.ordered == nullptr ? kByNumber : kInOrder) + next,
                                                run.Seen(long_walk->may_show_again, seen_bytes_max), kept_walks);
        return read;
      }
    }
    LAPSE_RETURN_IF_ERROR(evaluator.status());
    LAPSE_RETURN_IF_ERROR(run.Finish());
  } else {
    run.RunOnce();
    LAPSE_RETURN_IF_ERROR(evaluator.status());
  }
  read.page.resume_after = page.Give(take);
  if (page.is_in_doubt()) {
    read.unfinished = true;
    read.page.resume_after = PositionWithin(long_walk->start, long_walk->walk, {}, std::nullopt, nullptr);
  }
  if (sources.paid.priced == Priced::kOnPage) read.items_milli_ru = page.given_milli_ru();
  return read;
}

}  // namespace

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, ItemSource* source, const PageOptions& options,
                                const TakeResult& take) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  LAPSE_ASSIGN_OR_RETURN(const Start start, StartOf(shape, options.after));
  if (start.walk.has_value()) return OfAnotherQuery();
  const PageWatch watch(options.is_abandoned, options.let_others);
  StartRow start_row(options.settings);
  const PagePosition* behind = start.behind.has_value() ? &*start.behind : nullptr;
  if (behind != nullptr && behind->cut.has_value()) {
    const auto read_item = [&](engine::ItemNumber item, const std::function<void(const ItemView*)>& found) {
      const auto take_item = [&](engine::ItemNumber number, size_t) {
        if (number == item) found(source->item());
        return number != item;
      };
      return source->Walk({}, true, take_item).status();
    };
    LAPSE_ASSIGN_OR_RETURN(behind, start_row.Find(shape, plan.slot_count(), *behind, watch, read_item));
  }
  LAPSE_ASSIGN_OR_RETURN(PageRead read, ReadPage(plan, shape, behind, {source}, options, watch, nullptr, take));
  return std::move(read.page);
}

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, const engine::Container& container, const QueryOptions& options,
                                ScannedItem* item, const TakeResult& take, engine::Meter* meter) {
  LAPSE_ASSIGN_OR_RETURN(PageShape shape, PageShape::Of(plan.query()));
  LAPSE_ASSIGN_OR_RETURN(const Start start, StartOf(shape, options.after));
  Wanted wanted{&shape, start.behind.has_value() ? &*start.behind : nullptr, options.results_max};
  const std::shared_ptr<const engine::ContainerState> state = container.state();
  LAPSE_ASSIGN_OR_RETURN(wanted.leave_out_undefined, LeavesOutUndefined(shape, state->definition.indexing, *item));
  WalkSoFar walk;
  if (start.walk.has_value()) LAPSE_RETURN_IF_ERROR(FindWalk(shape, *start.walk, options.kept_walks, &walk));
  PageWatch watch(options.is_abandoned, options.let_others);
  watch.set_time_ns(engine::kPageTime_ns << walk.begun_again);
  std::optional<Access> access;
  for (bool chosen = false; !chosen;) {
    wanted.goes_on = walk.goes_on;
    wanted.goes_on_in_order = walk.in_order;
    wanted.shows_items_again = walk.goes_on && walk.seen.kind == SeenKind::kRows;
    wanted.after = walk.after;
    access.emplace(container, options.scope, item, meter, &watch, options.settings.pool);
    access->set_help(options.help.helpers, options.thresholds);
    LAPSE_RETURN_IF_ERROR(access->Choose(wanted, options.use_index));
    // Where the indexes are others now, the position says nothing.
    chosen = !walk.goes_on || Fits(*access, walk);
    if (!chosen) walk.BeginAgain();
  }
  shape.rows = access->rows();
  const Sources sources{access->items(),
                        access->ordered(),
                        wanted.leave_out_undefined,
                        access->counted(),
                        {access->priced(), access->last_of_item()},
                        access->first_row_is_enough()};
  std::optional<ItemsAgain> again;
  const bool is_cut = start.behind.has_value() && start.behind->cut.has_value() && access->page() != nullptr;
  if (wanted.shows_items_again || is_cut) again.emplace(container, options.scope, access->page(), item);
  StartRow start_row(options.settings);
  if (is_cut) {
    const auto read_item = [&](engine::ItemNumber number, const std::function<void(const ItemView*)>& found) {
      return again->Read({&number, 1}, [&](engine::ItemNumber, size_t) {
        found(again->item());
        return false;
      });
    };
    LAPSE_ASSIGN_OR_RETURN(wanted.start, start_row.Find(shape, plan.slot_count(), *start.behind, watch, read_item));
  }
  const bool may_show_again = options.scope.exact.has_value() || IsWholePartitions(options.scope, container);
  LongWalk long_walk{start, walk, again.has_value() ? &*again : nullptr, may_show_again, &*access, options,
                     item,  meter};
  Result<PageRead> read = ReadPage(plan, shape, wanted.start, sources, options, watch, &long_walk, take);
  if (meter != nullptr) {
    if (read.ok()) {
      const bool is_walk = sources.items != nullptr && !sources.counted.has_value();
      meter->Charge(
          engine::PageMilliRu(read->items_milli_ru, read->unfinished || (is_walk && sources.items->cut_short())));
    } else {
      meter->ChargeRefused(read.status());
    }
  }
  LAPSE_RETURN_IF_ERROR(read.status());
  if (options.tell_index_use) {
    const engine::IndexedPaths* const paths = state->index.has_value() ? state->index->paths.get() : nullptr;
    read->page.index_use = UseOf(access->scan(), shape, paths, *item);
  }
  return std::move(read->page);
}

}  // namespace lapse::query::exec
