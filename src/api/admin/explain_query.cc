#include "api/admin/explain_query.h"

#include <memory>
#include <optional>
#include <vector>

#include "api/added_names.h"
#include "api/computed_query.h"
#include "api/invalid.h"
#include "api/order_rule.h"
#include "doc/json.h"
#include "doc/value.h"
#include "doc/writer.h"
#include "query/derive/item_derivation.h"
#include "query/exec/explain.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"

namespace lapse::api::admin {
namespace {

// A query may have 512 KB of text.
constexpr doc::JsonLimits kQuestionLimits = {.depth_max = 128, .bytes_max = 1 << 20};

Result<std::string_view> TextAt(std::string_view document, std::string_view name) {
  const doc::Value value = doc::Find(document, name);
  if (value.type() != doc::Type::kString || value.AsString().empty()) {
    return Invalid(std::string(name) + " must be a text");
  }
  return value.AsString();
}

Result<std::vector<query::sql::Parameter>> ParametersOf(std::string_view document) {
  std::vector<query::sql::Parameter> parameters;
  const doc::Value list = doc::Find(document, "parameters");
  if (list.missing()) return parameters;
  if (list.type() != doc::Type::kArray) return Invalid("parameters must be a list");
  doc::Reader reader(list.AsDocument());
  while (auto element = reader.Next()) {
    if (element->value.type() != doc::Type::kObject) return Invalid("a parameter must have a name and a value");
    LAPSE_ASSIGN_OR_RETURN(const std::string_view name, TextAt(element->value.AsDocument(), "name"));
    parameters.push_back({name, query::Value::FromBson(doc::Find(element->value.AsDocument(), "value"))});
  }
  return parameters;
}

// Adds and computes properties as the API for items does. It shows no item, and finds none by its text.
class UnseenItem : public query::exec::ScannedItem {
 public:
  // The definition must outlive this.
  explicit UnseenItem(std::string_view definition) : definition_(definition) {}

  void Set(const engine::Item&) override {}
  Meaning MeaningOf(std::string_view name) const override {
    return ComputedQueryOf(definition_, name).empty() ? MeaningOfAdded(name) : Meaning::kComputed;
  }
  std::optional<engine::ItemNumber> NumberOf(std::string_view) const override { return std::nullopt; }
  bool IsMadeBy(std::string_view name, std::string_view rule) const override {
    const std::string_view query = ComputedQueryOf(definition_, name);
    return query.empty() ? rule.empty() : query::IsRuleOfComputed(rule, query);
  }
  query::Value Property(std::string_view, query::Arena*) const override { return {}; }
  query::Value Whole(query::Arena*) const override { return {}; }

 private:
  const std::string_view definition_;
};

class ExplainRules : public query::exec::PageRules {
 public:
  std::unique_ptr<query::exec::ScannedItem> NewItem(const engine::ContainerState& state,
                                                    const query::EvalSettings&) const override {
    return std::make_unique<UnseenItem>(state.definition.properties);
  }
  Result<bool> LeavesOutUndefined(const query::exec::PageShape& shape, const engine::IndexingDefinition& indexing,
                                  const query::exec::AddedProperties& added) const override {
    return api::LeavesOutUndefined(shape, indexing, added);
  }
};

void AppendTexts(std::string_view name, const std::vector<std::string>& texts, doc::Writer* writer) {
  writer->BeginArray(name);
  for (size_t i = 0; i < texts.size(); ++i) writer->AppendString(std::to_string(i), texts[i]);
  writer->End();
}

}  // namespace

Result<std::string> ExplainQuery(std::string_view json, const engine::CatalogView* catalog) {
  std::string request;
  LAPSE_RETURN_IF_ERROR(doc::JsonToBson(json, kQuestionLimits, &request));
  LAPSE_ASSIGN_OR_RETURN(const std::string_view database, TextAt(request, "database"));
  LAPSE_ASSIGN_OR_RETURN(const std::string_view name, TextAt(request, "container"));
  LAPSE_ASSIGN_OR_RETURN(const std::string_view text, TextAt(request, "query"));
  LAPSE_ASSIGN_OR_RETURN(const std::vector<query::sql::Parameter> parameters, ParametersOf(request));
  LAPSE_ASSIGN_OR_RETURN(const engine::ContainerPtr container, catalog->FindContainer(database, name));
  LAPSE_ASSIGN_OR_RETURN(const query::sql::SyntaxTree tree, query::sql::Parse(text));
  LAPSE_ASSIGN_OR_RETURN(const query::plan::Plan plan, query::sql::Bind(tree, parameters));
  LAPSE_ASSIGN_OR_RETURN(const query::exec::Explanation explanation,
                         query::exec::Explain(plan, *container, ExplainRules()));
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  writer.AppendString("plan", explanation.plan);
  writer.AppendString("conditions", explanation.condition);
  writer.AppendString("found_by", explanation.found_by);
  AppendTexts("indexed", explanation.use.utilized, &writer);
  AppendTexts("not_indexed", explanation.use.potential, &writer);
  writer.BeginArray("composite");
  for (size_t i = 0; i < explanation.use.utilized_composites.size(); ++i) {
    AppendTexts(std::to_string(i), explanation.use.utilized_composites[i], &writer);
  }
  writer.End();
  AppendTexts("spatial", explanation.use.utilized_spatial, &writer);
  writer.End();
  return document;
}

}  // namespace lapse::api::admin
