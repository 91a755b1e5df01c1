#include "query/sql/key_filter.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "query/sql/implied_names.h"
#include "query/values/compare.h"

namespace lapse::query::sql {
namespace {

using Keys = std::vector<FilteredKey>;

// Recursion is as deep as the tree, which the parser bounds.
class Filter {
 public:
  Filter(std::string_view item, std::span<const Parameter> parameters, std::span<const doc::Path> paths)
      : item_(item), parameters_(parameters), paths_(paths) {}

  Keys KeysOf(const Expression& e) const {
    switch (e.kind) {
      case ExpressionKind::kAnd: return KeysOfAll(e);
      case ExpressionKind::kOr: return KeysOfAny(e);
      case ExpressionKind::kIn: return e.negated ? Anything() : KeysWith(*e.children[0], e.children.subspan(1));
      case ExpressionKind::kBinary: {
        if (e.op != Operator::kEqual) return Anything();
        const Keys left = KeysWith(*e.children[0], e.children.subspan(1, 1));
        return IsAnything(left) ? KeysWith(*e.children[1], e.children.subspan(0, 1)) : left;
      }
      default: return Anything();
    }
  }

  Keys Anything() const { return {FilteredKey(paths_.size())}; }

 private:
  static bool IsAnything(const Keys& keys) {
    return keys.size() == 1 &&
           std::none_of(keys[0].begin(), keys[0].end(), [](const auto& v) { return v.has_value(); });
  }

  Keys KeysOfAll(const Expression& e) const {
    Keys all = Anything();
    for (const Expression* child : e.children) all = Both(std::move(all), KeysOf(*child));
    return all;
  }

  Keys KeysOfAny(const Expression& e) const {
    Keys any;
    for (const Expression* child : e.children) {
      Keys keys = KeysOf(*child);
      if (IsAnything(keys) || any.size() + keys.size() > kFilteredKeysMax) return Anything();
      std::move(keys.begin(), keys.end(), std::back_inserter(any));
    }
    return any;
  }

  // Returns the keys that are in both. Either list is valid on its own, so one may be dropped if both are too many.
  static Keys Both(Keys a, Keys b) {
    if (IsAnything(a)) return b;
    if (IsAnything(b)) return a;
    if (!a.empty() && b.size() > kFilteredKeysMax / a.size()) return a.size() < b.size() ? a : b;
    Keys both;
    for (const FilteredKey& x : a) {
      for (const FilteredKey& y : b) {
        FilteredKey key = x;
        if (Join(y, &key)) both.push_back(std::move(key));
      }
    }
    return both;
  }

  // Returns false if they contradict each other.
  static bool Join(const FilteredKey& with, FilteredKey* key) {
    for (size_t i = 0; i < with.size(); ++i) {
      if (!with[i].has_value()) continue;
      if ((*key)[i].has_value() && !SameValue(*(*key)[i], *with[i])) return false;
      (*key)[i] = with[i];
    }
    return true;
  }

  // Handles `path` = one of `values`.
  Keys KeysWith(const Expression& path, std::span<const Expression* const> values) const {
    const std::optional<size_t> at = PathOf(path);
    if (!at || values.size() > kFilteredKeysMax) return Anything();
    Keys keys;
    for (const Expression* value : values) {
      const std::optional<Value> constant = ConstantOf(*value);
      if (!constant) return Anything();
      keys.emplace_back(paths_.size())[*at] = *constant;
    }
    return keys;
  }

  // Returns which of the paths it is.
  std::optional<size_t> PathOf(const Expression& e) const {
    std::vector<std::string_view> names;
    const Expression* at = &e;
    while (true) {
      if (at->kind == ExpressionKind::kProperty) {
        names.push_back(at->text);
      } else if (at->kind == ExpressionKind::kIndex && at->children[1]->kind == ExpressionKind::kString) {
        names.push_back(at->children[1]->text);
      } else {
        break;
      }
      at = at->children[0];
    }
    if (at->kind != ExpressionKind::kIdentifier || at->text != item_) return std::nullopt;
    std::reverse(names.begin(), names.end());
    for (size_t i = 0; i < paths_.size(); ++i) {
      const std::vector<std::string>& path = paths_[i].names();
      if (std::equal(path.begin(), path.end(), names.begin(), names.end())) return i;
    }
    return std::nullopt;
  }

  // Returns nullopt for anything but a constant, and for a value that a partition key cannot have.
  std::optional<Value> ConstantOf(const Expression& e) const {
    switch (e.kind) {
      case ExpressionKind::kNull: return Value::Null();
      case ExpressionKind::kTrue: return Value::Bool(true);
      case ExpressionKind::kFalse: return Value::Bool(false);
      case ExpressionKind::kInteger: return Value::Int64(e.integer);
      case ExpressionKind::kReal: return Value::Double(e.real);
      case ExpressionKind::kString: return Value::String(e.text);
      case ExpressionKind::kParameter: break;
      default: return std::nullopt;
    }
    for (const Parameter& parameter : parameters_) {
      if (parameter.name != e.text) continue;
      const Value value = parameter.value;
      if (value.IsUndefined() || value.IsArray() || value.IsObject()) return std::nullopt;
      return value;
    }
    return std::nullopt;
  }

  std::string_view item_;
  std::span<const Parameter> parameters_;
  std::span<const doc::Path> paths_;
};

}  // namespace

std::vector<FilteredKey> KeysOfFilter(const Query& query, std::span<const Parameter> parameters,
                                      std::span<const doc::Path> paths) {
  // Paths begin at the item only if the first source is the item itself.
  const bool over_items = !query.sources.empty() && !query.sources[0].iterates && query.sources[0].path != nullptr &&
                          query.sources[0].path->kind == ExpressionKind::kIdentifier;
  if (!over_items || query.where == nullptr) return {FilteredKey(paths.size())};
  return Filter(*NameOfSource(query.sources[0]), parameters, paths).KeysOf(*query.where);
}

}  // namespace lapse::query::sql
