#include "tests/linearizability/partition_model.h"

#include <algorithm>
#include <utility>

namespace lapse::linearizability {
namespace {

constexpr int kFailedDependency = 424;

bool Succeeded(const ActionResult& result) {
  return result.status < 300;
}

// Whether another item has the tag. A missing tag is a value too: the service treats it as null.
bool TagIsTaken(const PartitionState& state, int id, const std::optional<int64_t>& tag) {
  return std::any_of(state.items.begin(), state.items.end(),
                     [&](const auto& entry) { return entry.first != id && entry.second.content.tag == tag; });
}

Content Patched(const Content& before, const Content& patch) {
  Content after = before;
  after.value = patch.value;
  after.counter += patch.counter;
  if (patch.tag.has_value()) after.tag = patch.tag;
  return after;
}

// Whether an answer shows what the model expects. A version that no client had seen gets the etag that is shown.
bool Shows(const ShownItem& shown, const ShownItem& expected, PartitionState* after) {
  if (!expected.version.etag.empty()) return shown == expected;
  ShownItem named = expected;
  named.version.etag = shown.version.etag;
  if (shown.version.etag.empty() || shown != named) return false;
  auto found = after->items.find(shown.id);
  if (found != after->items.end() && found->second == expected.version) found->second.etag = shown.version.etag;
  return true;
}

bool Matches(const std::vector<ActionResult>& answered, const std::vector<ActionResult>& expected,
             PartitionState* after) {
  if (answered.size() != expected.size()) return false;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (answered[i].status != expected[i].status || answered[i].shown.size() != expected[i].shown.size()) return false;
    for (size_t k = 0; k < expected[i].shown.size(); ++k) {
      if (!Shows(answered[i].shown[k], expected[i].shown[k], after)) return false;
    }
  }
  return true;
}

std::string ShownEtag(const Operation& operation, size_t action) {
  if (action >= operation.results.size()) return "";
  const std::vector<ShownItem>& shown = operation.results[action].shown;
  return shown.empty() ? "" : shown.front().version.etag;
}

void AppendNumber(const std::optional<int64_t>& number, std::string* text) {
  text->append(number.has_value() ? std::to_string(*number) : "-").push_back(' ');
}

}  // namespace

std::string PartitionState::Text() const {
  std::string text = std::to_string(now_s) + ":";
  for (const auto& [id, version] : items) {
    AppendNumber(id, &text);
    AppendNumber(version.ts_s, &text);
    AppendNumber(version.content.value, &text);
    AppendNumber(version.content.counter, &text);
    AppendNumber(version.content.tag, &text);
    AppendNumber(version.content.ttl, &text);
    text.append(version.etag).push_back('\n');
  }
  return text;
}

void PartitionModel::MoveTo(int64_t now_s, PartitionState* state) const {
  state->now_s = now_s;
  if (!default_ttl_.has_value()) return;
  std::erase_if(state->items, [&](const auto& entry) {
    const int64_t ttl_s = entry.second.content.ttl.value_or(*default_ttl_);
    return ttl_s != -1 && entry.second.ts_s + ttl_s <= now_s;
  });
}

ActionResult PartitionModel::ApplyOne(const Action& action, int64_t ts_s, const std::string& etag,
                                      PartitionState* state) const {
  if (action.kind == Kind::kList) {
    ActionResult all{200};
    for (const auto& [id, version] : state->items) all.shown.push_back({id, version});
    return all;
  }
  auto live = state->items.find(action.id);
  const bool exists = live != state->items.end();
  if (action.kind == Kind::kCreate && exists) return {409};
  if (action.kind != Kind::kCreate && action.kind != Kind::kUpsert && !exists) return {404};
  if (action.kind == Kind::kRead) return {200, {{action.id, live->second}}};
  // A client knows an etag only from an earlier operation that showed it. So a version whose etag is still unseen
  // cannot be the one that the client means.
  if (exists && !action.if_match.empty() && action.if_match != live->second.etag) return {412};
  if (action.kind == Kind::kDelete) {
    state->items.erase(live);
    return {204};
  }
  const Content content = action.kind == Kind::kPatch ? Patched(live->second.content, action.content) : action.content;
  if (TagIsTaken(*state, action.id, content.tag)) return {409};
  const Version version{etag, ts_s, content};
  state->items.insert_or_assign(action.id, version);
  return {exists ? 200 : 201, {{action.id, version}}};
}

std::vector<ActionResult> PartitionModel::Apply(const std::vector<Action>& actions, int64_t now_s, int64_t ts_s,
                                                const EtagOf& etag_of, PartitionState* state) const {
  MoveTo(now_s, state);
  PartitionState after = *state;
  std::vector<ActionResult> results;
  for (size_t i = 0; i < actions.size(); ++i) {
    ActionResult result = ApplyOne(actions[i], ts_s, etag_of(i), &after);
    if (!Succeeded(result)) {
      results.assign(actions.size(), {kFailedDependency});
      results[i] = std::move(result);
      return results;
    }
    results.push_back(std::move(result));
  }
  MoveTo(now_s, &after);
  *state = std::move(after);
  return results;
}

std::vector<PartitionState> PartitionModel::After(const PartitionState& before, const Operation& operation) const {
  return operation.known ? AfterAnswer(before, operation) : AfterUnknown(before, operation);
}

// The first second that explains the answer is enough. What is written has the second that the answer shows, and
// otherwise a later second only leaves fewer to later operations.
std::vector<PartitionState> PartitionModel::AfterAnswer(const PartitionState& before,
                                                        const Operation& operation) const {
  const auto etag_of = [&](size_t action) { return ShownEtag(operation, action); };
  for (int64_t now_s = std::max(before.now_s, operation.earliest_s); now_s <= operation.latest_s; ++now_s) {
    PartitionState after = before;
    const std::vector<ActionResult> expected = Apply(operation.actions, now_s, now_s, etag_of, &after);
    if (Matches(operation.results, expected, &after)) return {std::move(after)};
  }
  return {};
}

// The operation's writes were stamped while it was under way, and may be seen later.
std::vector<PartitionState> PartitionModel::AfterUnknown(const PartitionState& before,
                                                         const Operation& operation) const {
  std::vector<PartitionState> states;
  const auto etag_of = [&](size_t action) { return operation.happened ? ShownEtag(operation, action) : ""; };
  for (int64_t ts_s = operation.earliest_s; ts_s <= operation.latest_s; ++ts_s) {
    for (int64_t now_s = std::max(before.now_s, ts_s); now_s <= operation.settled_s; ++now_s) {
      PartitionState after = before;
      const std::vector<ActionResult> results = Apply(operation.actions, now_s, ts_s, etag_of, &after);
      if (!std::all_of(results.begin(), results.end(), Succeeded)) continue;
      states.push_back(std::move(after));
      break;
    }
  }
  return states;
}

}  // namespace lapse::linearizability
