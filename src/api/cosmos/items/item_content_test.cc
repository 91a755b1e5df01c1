#include "api/cosmos/items/item_content.h"

#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/partition_key/partition_key_fixture.h"
#include "api/cosmos/partition_key/partition_key_values.h"
#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

using Component = engine::PartitionKeyComponent;

// Returns the document that would be stored, or the error's text.
std::string Stored(const std::string& body, const std::string& header = "") {
  auto content = ReadItemContent(body, header, kPk, {});
  if (!content.ok()) return content.status().message();
  std::string json;
  doc::ObjectToJson(content->document, &json);
  return json;
}

TEST(PartitionKeyHeaderTest, AllForms) {
  EXPECT_EQ(*ParsePartitionKeyHeader(R"(["x"])"), PartitionKeyValues{Component::String("x")});
  EXPECT_EQ(*ParsePartitionKeyHeader(R"(["\u65e5"])"), PartitionKeyValues{Component::String("\xE6\x97\xA5")});
  EXPECT_EQ(*ParsePartitionKeyHeader("[5]"), PartitionKeyValues{Component::Number(5)});
  EXPECT_EQ(*ParsePartitionKeyHeader("[-0.0]"), PartitionKeyValues{Component::Number(0)});
  EXPECT_EQ(*ParsePartitionKeyHeader("[true]"), PartitionKeyValues{Component::Bool(true)});
  EXPECT_EQ(*ParsePartitionKeyHeader("[null]"), PartitionKeyValues{Component::Null()});
  EXPECT_EQ(*ParsePartitionKeyHeader("[{}]"), PartitionKeyValues{Component::Missing()});
  EXPECT_EQ(*ParsePartitionKeyHeader("[]"), PartitionKeyValues{});
  EXPECT_EQ(*ParsePartitionKeyHeader(R"(["a",1,{}])"),
            (PartitionKeyValues{Component::String("a"), Component::Number(1), Component::Missing()}));
  for (std::string_view header :
       {"", "x", "\"x\"", "[", "[1,]", R"([{"a":1}])", "[[1]]", "{}", "[1] 2", "[\"\\ud800\"]"}) {
    EXPECT_EQ(ParsePartitionKeyHeader(header).status().code(), Code::kInvalidArgument) << header;
  }
}

TEST(PartitionKeyHeaderTest, AWholeKeyHasEveryComponent) {
  auto two = Key({doc::Path({"a"}), doc::Path({"b"})});
  EXPECT_TRUE(WholePartitionKey(R"(["x","y"])", two, {}).ok());
  EXPECT_FALSE(WholePartitionKey(R"(["x"])", two, {}).ok());
  EXPECT_FALSE(WholePartitionKey(R"(["x","y","z"])", two, {}).ok());
  EXPECT_FALSE(WholePartitionKey("[]", kPk, {}).ok());
  std::string properties;
  ASSERT_TRUE(doc::JsonToBson(R"({"partitionKey":{"systemKey":true}})", {}, &properties).ok());
  EXPECT_EQ(*WholePartitionKey("[]", kPk, properties), PartitionKeyValues{Component::Missing()});
}

TEST(PartitionKeyHeaderTest, GoEscapesAreUnderstood) {
  const auto value = [](std::string_view header) {
    Result<PartitionKeyValues> values = ParsePartitionKeyHeader(header);
    return values.ok() ? (*values)[0] : Component::Missing();
  };
  EXPECT_EQ(value(R"(["\U0001f600"])"), Component::String("\xF0\x9F\x98\x80"));
  EXPECT_EQ(value(R"(["\U0010ffff"])"), Component::String("\xF4\x8F\xBF\xBF"));
  EXPECT_EQ(value(R"(["a\x7fb\a\v\n\u00e4"])"), Component::String("a\x7F"
                                                                  "b\a\v\n\xC3\xA4"));
  EXPECT_EQ(value(R"(["\\a \\x41 \\"])"), Component::String(R"(\a \x41 \)")) << "an escaped backslash escapes nothing";
  for (std::string_view bad : {R"(["\x"])", R"(["\x4"])", R"(["\xff"])", R"(["\U0001f60"])", R"(["\U00110000"])",
                               R"(["\U0000d800"])", R"(["\q"])", "[\"\\"}) {
    EXPECT_FALSE(ParsePartitionKeyHeader(bad).ok()) << bad;
  }
}

TEST(PartitionKeyHeaderTest, ValuesHaveALimit) {
  auto header = [](size_t bytes) { return "[\"" + std::string(bytes, 'x') + "\"]"; };
  EXPECT_TRUE(WholePartitionKey(header(2048), kPk, {}).ok());
  EXPECT_FALSE(WholePartitionKey(header(2049), kPk, {}).ok());
  EXPECT_TRUE(WholePartitionKey(header(2048), Key({doc::Path({"pk"})}, 1), {}).ok());
  EXPECT_FALSE(WholePartitionKey(header(2049), Key({doc::Path({"pk"})}, 1), {}).ok());
}

TEST(PartitionKeyHeaderTest, ExtractsFromDocuments) {
  std::string document;
  ASSERT_TRUE(doc::JsonToBson(R"({"a":{"b":5},"c":[1],"d":null})", {}, &document).ok());
  auto value = [&](std::vector<std::string> names) {
    return ExtractPartitionKey(document, Key({doc::Path(std::move(names))}))[0];
  };
  EXPECT_EQ(value({"a", "b"}), Component::Number(5));
  EXPECT_EQ(value({"a"}), Component::Missing());
  EXPECT_EQ(value({"c"}), Component::Missing());
  EXPECT_EQ(value({"d"}), Component::Null());
  EXPECT_EQ(value({"e"}), Component::Missing());
}

TEST(ItemContentTest, DropsSystemProperties) {
  EXPECT_EQ(Stored(R"({"_rid":"x","id":"1","_self":1,"pk":"p","_etag":{},"_attachments":[],"_ts":5,"_mine":1})"),
            R"({"id":"1","pk":"p","_mine":1})");
}

TEST(ItemContentTest, ChecksTheId) {
  constexpr std::string_view kMissing =
      "The input content is invalid because the required properties - 'id; ' - are missing";
  EXPECT_EQ(Stored(R"({"pk":"p"})"), kMissing);
  EXPECT_EQ(Stored(R"({"id":"","pk":"p"})"), kMissing);
  for (const char* id : {"5", "null", R"("a/b")", R"("a\\b")", R"("a#b")", R"("a\u0000")"}) {
    EXPECT_FALSE(ReadItemContent(R"({"id":)" + std::string(id) + "}", "", kPk, {}).ok()) << id;
  }
  EXPECT_EQ(Stored(R"({"id":"a\u0000"})"), "The resource name presented contains invalid character U+0000.");
  EXPECT_EQ(Stored(R"({"id":"a\\b"})"), "The resource name presented contains invalid character '\\'.");
  for (const char* id : {R"("a?b")", R"("a ")", R"(" ")", R"("%20")", R"("\t\r\n")"}) {
    EXPECT_TRUE(ReadItemContent(R"({"id":)" + std::string(id) + "}", "", kPk, {}).ok()) << id;
  }
  EXPECT_EQ(Stored(R"({"id":")" + std::string(1024, 'x') + R"("})"),
            "The input name '" + std::string(100, 'x') +
                "' is invalid. Ensure to provide a unique non-empty string less than '1024' characters.");
  EXPECT_TRUE(ReadItemContent(R"({"id":")" + std::string(1023, 'x') + "\"}", "", kPk, {}).ok());
  EXPECT_FALSE(ReadItemContent(R"({"id":")" + std::string(1024, 'x') + "\"}", "", kPk, {}).ok());
}

TEST(ItemContentTest, ChecksTheTtl) {
  for (const char* good : {"-1", "1", "5.0", "2147483647"}) {
    EXPECT_TRUE(ReadItemContent(R"({"id":"1","ttl":)" + std::string(good) + "}", "", kPk, {}).ok()) << good;
  }
  EXPECT_EQ(ReadItemContent(R"({"id":"1","ttl":5.0})", "", kPk, {})->own_ttl, 5);
  EXPECT_EQ(ReadItemContent(R"({"id":"1"})", "", kPk, {})->own_ttl, std::nullopt);
  for (const char* bad : {"0", "null", "-10", "1.5", "1.50", "1e10", "\"60\"", "2147483648", "true", "[ 1 ]"}) {
    EXPECT_EQ(
        Stored(R"({"id":"1","ttl":)" + std::string(bad) + "}"),
        "The input ttl '" + std::string(bad) +
            "' is invalid. Ensure to provide a nonzero positive integer less than or equal to '2147483647', or '-1' "
            "which means never expire.");
  }
}

TEST(ItemContentTest, TheHeaderMustFitTheDocument) {
  EXPECT_EQ(Stored(R"({"id":"1","pk":"p"})", R"(["p"])"), R"({"id":"1","pk":"p"})");
  EXPECT_EQ(Stored(R"({"id":"1"})", "[{}]"), R"({"id":"1"})");
  EXPECT_EQ(ReadItemContent(R"({"id":"1","pk":"p"})", R"(["q"])", kPk, {}).status().code(),
            Code::kPartitionKeyMismatch);
  EXPECT_EQ(ReadItemContent(R"({"id":"1","pk":null})", "[{}]", kPk, {}).status().code(), Code::kPartitionKeyMismatch);
  EXPECT_EQ(ReadItemContent(R"({"id":"1","pk":"5"})", "[5]", kPk, {}).status().code(), Code::kPartitionKeyMismatch);
  auto from_header = ReadItemContent(R"({"id":"1","pk":"p"})", R"(["p"])", kPk, {});
  auto from_document = ReadItemContent(R"({"id":"1","pk":"p"})", "", kPk, {});
  EXPECT_EQ(from_header->key, from_document->key);
}

TEST(ItemContentTest, HasALimit) {
  std::string large = R"({"id":"1","x":")" + std::string(2 * 1024 * 1024, 'x') + "\"}";
  EXPECT_EQ(ReadItemContent(large, "", kPk, {}).status().code(), Code::kTooLarge);
  EXPECT_EQ(ReadItemContent("{", "", kPk, {}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(ReadItemContent("[]", "", kPk, {}).status().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace lapse::api::cosmos
