#include "tests/linearizability/history.h"

#include <algorithm>
#include <string_view>

namespace lapse::linearizability {
namespace {

std::string_view Name(Kind kind) {
  switch (kind) {
    case Kind::kCreate: return "create";
    case Kind::kRead: return "read";
    case Kind::kReplace: return "replace";
    case Kind::kUpsert: return "upsert";
    case Kind::kDelete: return "delete";
    case Kind::kPatch: return "patch";
    case Kind::kList: return "list";
  }
  return "";
}

std::string Describe(const Content& content) {
  std::string text = "{v=" + std::to_string(content.value) + " n=" + std::to_string(content.counter);
  if (content.tag.has_value()) text += " tag=" + std::to_string(*content.tag);
  if (content.ttl.has_value()) text += " ttl=" + std::to_string(*content.ttl);
  return text + "}";
}

std::string Describe(const Action& action) {
  std::string text(Name(action.kind));
  if (action.kind != Kind::kList) text += " i" + std::to_string(action.id);
  if (action.kind == Kind::kPatch) text += " to v, n by";
  if (IsWrite(action) && action.kind != Kind::kDelete) text += " " + Describe(action.content);
  if (!action.if_match.empty()) text += " if-match " + action.if_match;
  return text;
}

std::string Describe(const ActionResult& result) {
  std::string text = std::to_string(result.status);
  for (const ShownItem& item : result.shown) {
    text += " i" + std::to_string(item.id) + Describe(item.version.content) + " etag=" + item.version.etag +
            " ts=" + std::to_string(item.version.ts_s);
  }
  return text;
}

}  // namespace

bool IsWrite(const Action& action) {
  return action.kind != Kind::kRead && action.kind != Kind::kList;
}

bool HasWrite(const Operation& operation) {
  return std::any_of(operation.actions.begin(), operation.actions.end(), IsWrite);
}

bool HasChanged(const Operation& operation) {
  return operation.known && HasWrite(operation) &&
         std::all_of(operation.results.begin(), operation.results.end(),
                     [](const ActionResult& result) { return result.status < 300; });
}

std::string Describe(const Operation& operation) {
  std::string text = "[" + std::to_string(operation.invoked) + "..";
  text += (operation.known ? std::to_string(operation.ended) : "?") + "] in second ";
  text += std::to_string(operation.earliest_s);
  if (operation.latest_s != operation.earliest_s) text += ".." + std::to_string(operation.latest_s);
  text += ", client " + std::to_string(operation.client) + ":";
  if (operation.batch) text += " batch";
  for (size_t i = 0; i < operation.actions.size(); ++i) {
    text += operation.batch ? "\n      " : " ";
    text += Describe(operation.actions[i]);
    text += operation.known ? " -> " + Describe(operation.results[i]) : "";
  }
  if (!operation.known) text += " -> unknown";
  return text;
}

}  // namespace lapse::linearizability
