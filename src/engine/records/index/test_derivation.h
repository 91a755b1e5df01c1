// For tests: rules for derived values, without SQL or geometry.
//
//   twice a   twice the document's number `a`; nothing if `a` is not a number
//   wrap a    {"word": the document's text `a`, or the digits of its integer `a`}; nothing if `a` is neither
//   letters   a rule of marks: one for each letter of an object's text `word`
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "doc/value.h"
#include "doc/writer.h"
#include "engine/records/index/derivation.h"

namespace lapse::engine {

class TestDerivation : public Derivation {
 public:
  static constexpr std::string_view kLetters = "letters";

  std::shared_ptr<const DerivedValue> ValueBy(std::string_view rule) const override {
    if (rule.starts_with(kTwice)) return std::make_shared<Twice>(rule.substr(kTwice.size()));
    if (rule.starts_with(kWrap)) return std::make_shared<Wrap>(rule.substr(kWrap.size()));
    return nullptr;
  }
  std::shared_ptr<const MarkMaker> MarksBy(std::string_view rule) const override {
    return rule == kLetters ? std::make_shared<Letters>() : nullptr;
  }

 private:
  static constexpr std::string_view kTwice = "twice ";
  static constexpr std::string_view kWrap = "wrap ";

  class OfMember : public DerivedValue {
   public:
    explicit OfMember(std::string_view name) : name_(name) {}

   protected:
    const std::string name_;
  };

  class Twice : public OfMember {
   public:
    using OfMember::OfMember;
    void Make(std::string_view document, std::string* holder) const override {
      const doc::Value value = doc::Find(document, name_);
      if (!value.IsNumber()) return;
      doc::Writer writer(holder);
      writer.BeginDocument();
      writer.AppendDouble("v", 2 * value.AsDouble());
      writer.End();
    }
  };

  class Wrap : public OfMember {
   public:
    using OfMember::OfMember;
    void Make(std::string_view document, std::string* holder) const override {
      const doc::Value value = doc::Find(document, name_);
      const bool is_text = value.type() == doc::Type::kString;
      if (!is_text && !value.AsWholeNumber().has_value()) return;
      doc::Writer writer(holder);
      writer.BeginDocument();
      writer.BeginObject("v");
      writer.AppendString("word", is_text ? std::string(value.AsString()) : std::to_string(*value.AsWholeNumber()));
      writer.End();
      writer.End();
    }
  };

  class Letters : public MarkMaker {
   public:
    void Make(doc::Value object, const TakeMark& take) const override {
      const doc::Value word = doc::Find(object.AsDocument(), "word");
      if (word.type() != doc::Type::kString) return;
      for (const char& letter : word.AsString()) take({&letter, 1});
    }
  };
};

}  // namespace lapse::engine
