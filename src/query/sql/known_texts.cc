#include "query/sql/known_texts.h"

#include <utility>

#include "query/sql/parse.h"

namespace lapse::query::sql {

Result<std::shared_ptr<const SyntaxTree>> KnownTexts::Parse(std::string_view text) {
  const bool is_kept = text.size() <= kTextBytes;
  if (is_kept) {
    if (Tree known = Find(text); known != nullptr) return known;
  }
  LAPSE_ASSIGN_OR_RETURN(SyntaxTree parsed, sql::Parse(text));
  auto tree = std::make_shared<const SyntaxTree>(std::move(parsed));
  if (is_kept) Keep(tree);
  return Tree(std::move(tree));
}

KnownTexts::Tree KnownTexts::Find(std::string_view text) {
  Tree tree;
  {
    std::lock_guard lock(mutex_);
    if (const auto found = recent_.find(text); found != recent_.end()) return found->second;
    const auto found = older_.find(text);
    if (found == older_.end()) return nullptr;
    tree = found->second;
  }
  Keep(tree);
  return tree;
}

void KnownTexts::Keep(const Tree& tree) {
  Generation forgotten;  // destroyed outside of the lock
  std::lock_guard lock(mutex_);
  if (recent_.size() == kGenerationTexts) {
    forgotten = std::exchange(older_, std::exchange(recent_, {}));
  }
  recent_.emplace(tree->text(), tree);
}

}  // namespace lapse::query::sql
