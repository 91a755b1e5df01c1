// Tests patches through the API: responses, the order of checks, errors that depend on the item, limits and expiry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class PatchApiTest : public ApiFixture {
 protected:
  Answer Patch(const std::string& id, const std::string& operations, Headers headers = {}) {
    return OneItem("PATCH", id, operations, R"(["p"])", std::move(headers));
  }

  static std::string Operation(std::string_view op, std::string_view path, std::string_view value) {
    return R"([{"op":")" + std::string(op) + R"(","path":")" + std::string(path) + R"(","value":)" +
           std::string(value) + "}]";
  }

  // Returns the text of a patch's error. It must be a 400 that changes nothing.
  std::string Refusal(const std::string& id, const std::string& operations) {
    const std::string before = ReadItem(id).body;
    Answer answer = Patch(id, operations);
    EXPECT_EQ(answer.status, 400) << operations << answer.body;
    EXPECT_EQ(answer.At("/code"), R"("BadRequest")");
    EXPECT_EQ(ReadItem(id).body, before) << operations;
    return answer.Message();
  }
};

TEST_F(PatchApiTest, AnswersLikeAReplace) {
  MakeItems();
  Answer made = CreateItem(R"({"id":"1","pk":"p","n":5,"l":["a"]})");
  PassSeconds(2);
  Answer patched = Patch("1", R"([{"op":"incr","path":"/n","value":2},{"op":"add","path":"/l/0","value":"b"}])");
  ASSERT_EQ(patched.status, 200) << patched.body;
  EXPECT_EQ(patched.At("/n"), "7");
  EXPECT_EQ(patched.At("/l"), R"(["b","a"])");
  EXPECT_EQ(patched.At("/_rid"), made.At("/_rid"));
  EXPECT_EQ(patched.At("/_ts"), std::to_string(kStart_s + 2));
  EXPECT_NE(patched.headers["etag"], made.headers["etag"]);
  EXPECT_EQ(patched.headers["x-ms-session-token"], "0:1#2");
  EXPECT_EQ(patched.headers["content-type"], made.headers["content-type"]);
  EXPECT_EQ(ReadItem("1").body, patched.body);
  Answer replaced = OneItem("PUT", "1", patched.body);
  EXPECT_EQ(patched.headers["x-ms-request-charge"], replaced.headers["x-ms-request-charge"]);
  for (const auto& [name, value] : replaced.headers) EXPECT_TRUE(patched.headers.contains(name)) << name;
}

TEST_F(PatchApiTest, BothFormsAndAnyContentType) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  const std::string list = R"([{"op":"incr","path":"/n","value":1}])";
  EXPECT_EQ(Patch("1", list).status, 200);
  for (const char* type :
       {"application/json", "application/json-patch+json", "application/json_patch+json", "text/x"}) {
    EXPECT_EQ(Patch("1", list, {{"content-type", type}}).status, 200) << type;
  }
  EXPECT_EQ(Patch("1", R"({"operations":)" + list + "}").At("/n"), "6");
}

TEST_F(PatchApiTest, MinimalAnswers) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  Answer patched = Patch("1", Operation("set", "/n", "1"), {{"prefer", "return=minimal"}});
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(patched.body, "");
  EXPECT_EQ(patched.headers["etag"], ReadItem("1").headers["etag"]);
  EXPECT_EQ(ReadItem("1").At("/n"), "1");
}

TEST_F(PatchApiTest, TheOrderOfChecks) {
  MakeItems();
  const std::string etag = CreateItem(R"({"id":"1","pk":"p"})").headers["etag"];
  const Headers stale{{"if-match", "\"other\""}}, fresh{{"if-match", etag}};
  const std::string malformed = "[5]", impossible = R"([{"op":"remove","path":"/none"}])";
  EXPECT_EQ(Patch("none", malformed, stale).status, 400) << "the request alone comes first";
  EXPECT_EQ(Patch("none", Operation("set", "/id", "1"), stale).status, 400);
  EXPECT_EQ(Patch("none", impossible, stale).status, 404);
  EXPECT_EQ(Patch("1", impossible, stale).status, 412);
  EXPECT_EQ(Patch("1", Operation("set", "/ttl", "0"), stale).status, 412);
  EXPECT_EQ(Patch("1", impossible, fresh).status, 400);
  EXPECT_EQ(Patch("1", Operation("set", "/n", "1"), fresh).status, 200);
  EXPECT_EQ(Patch("1", Operation("set", "/n", "2"), fresh).status, 412);
  EXPECT_EQ(Patch("1", Operation("set", "/n", "2"), {{"if-match", "*"}}).status, 200);
  Answer refused = Patch("none", impossible);
  EXPECT_EQ(refused.headers["x-ms-request-charge"], "1");
}

TEST_F(PatchApiTest, WhereAndWho) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  const std::string patch = Operation("set", "/n", "1");
  EXPECT_EQ(OneItem("PATCH", "1", patch, R"(["q"])").status, 404);
  EXPECT_EQ(OneItem("PATCH", "1", patch, "").status, 400);
  EXPECT_EQ(OneItem("PATCH", "1", patch, R"(["p","q"])").status, 400);
  const Headers key{{"x-ms-documentdb-partitionkey", R"(["p"])"}};
  EXPECT_EQ(Send("PATCH", "/dbs/db/colls/none/docs/1", patch, key).headers["x-ms-substatus"], "1003");
  EXPECT_EQ(Send("PATCH", "/dbs/db/colls/c/docs", patch, key).status, 405);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "PATCH", "/dbs/db/colls/c/docs/1", patch, key).status, 401);
  Answer trigger = Patch("1", patch, {{"x-ms-documentdb-pre-trigger-include", "t"}});
  EXPECT_EQ(trigger.status, 400);
  EXPECT_EQ(ReadItem("1").At("/n"), "");
}

TEST_F(PatchApiTest, ErrorsThatDependOnTheItem) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":1,"s":"x","z":null,"l":[1,2],"o":{"a":1},"big":1e308})").status, 201);
  const auto refusal = [&](std::string_view op, std::string_view path, std::string_view value = "1") {
    std::string text = Refusal("1", Operation(op, path, value));
    EXPECT_THAT(text, StartsWith("\"For Operation(1): ")) << op << path;
    EXPECT_THAT(text, HasSubstr(" Learn more: https://aka.ms/cosmosdbpatchdocs\"")) << op << path;
    return text;
  };
  EXPECT_THAT(refusal("add", "/x/y"),
              HasSubstr("Add Operation can only create a child object of an existing node(array "
                        "or object) and cannot create path recursively, no path found "
                        "beyond: 'x'."));
  for (const char* op : {"set", "replace", "remove", "incr"}) {
    EXPECT_THAT(refusal(op, "/x/y"), HasSubstr("Given Operation can only create a child object of an existing "
                                               "node(array or object) and cannot create path recursively, no path "
                                               "found beyond: 'x'."));
    EXPECT_THAT(refusal(op, "/s/y"), HasSubstr("beyond: 's'."));
    EXPECT_THAT(refusal(op, "/z/y"), HasSubstr("beyond: 'z'."));
    EXPECT_THAT(refusal(op, "/l/5/y"), HasSubstr("beyond: '5'."));
    EXPECT_THAT(refusal(op, "/l/3"), HasSubstr("Index(3) to operate on is out of array bounds."));
    EXPECT_THAT(refusal(op, "/l/x"), HasSubstr("check syntax of patch specification. 'x' is not an index"));
  }
  EXPECT_THAT(refusal("replace", "/x"), HasSubstr("Node(/x) to be replaced is absent."));
  EXPECT_THAT(refusal("replace", "/l/2"), HasSubstr("Index(2) to operate on is out of array bounds."));
  EXPECT_THAT(refusal("remove", "/l/-"), HasSubstr("Index(-) to operate on is out of array bounds."));
  EXPECT_THAT(refusal("remove", "/o/x"), HasSubstr("Node(/o/x) to be removed is absent. Note: it may also have been "
                                                   "removed earlier in the transaction."));
  for (const char* path : {"/s", "/z", "/l", "/o"}) {
    EXPECT_THAT(refusal("incr", path), HasSubstr("Node(" + std::string(path) + ") is not a number."));
  }
  EXPECT_THAT(refusal("incr", "/big", "1e308"), HasSubstr("Node(/big) would be beyond the range of a number."));
  EXPECT_THAT(Refusal("1", R"([{"op":"move","from":"/x","path":"/y"}])"),
              HasSubstr("For Operation(1): Node(/x) to be moved is absent."));
  EXPECT_THAT(Refusal("1", R"([{"op":"move","from":"/l/9","path":"/y"}])"), HasSubstr("Index(9)"));
  EXPECT_THAT(Refusal("1", R"([{"op":"move","from":"/n","path":"/x/y"}])"), HasSubstr("Given Operation can only"));
  EXPECT_THAT(Refusal("1", R"([{"op":"set","path":"/n","value":2},{"op":"remove","path":"/o"},)"
                           R"({"op":"replace","path":"/o","value":1}])"),
              HasSubstr("For Operation(3): Node(/o) to be replaced has been removed earlier in the transaction."));
}

TEST_F(PatchApiTest, BadBodiesChangeNothing) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":1})").status, 201);
  for (const char* body : {"", "{}", "[]", "[5]", "{", R"([{"op":"copy","from":"/n","path":"/m"}])",
                           R"([{"op":"set","path":"/n","value":2},{"op":"set","path":"/m"}])",
                           R"([{"op":"set","path":"/n","value":2},{"op":"set","path":"/pk","value":"q"}])",
                           R"({"condition":5,"operations":[{"op":"remove","path":"/n"}]})",
                           R"({"condition":"from c where","operations":[{"op":"remove","path":"/n"}]})"}) {
    Refusal("1", body);
  }
  EXPECT_THAT(Refusal("1", R"({"condition":"from c where FOO (c.n) ","operations":[{"op":"remove","path":"/n"}]})"),
              HasSubstr("SC2005"));
  // Positions refer to the condition.
  EXPECT_THAT(Refusal("1", R"({"condition":"from c where c.value = 1","operations":[{"op":"remove","path":"/n"}]})"),
              HasSubstr(R"(\"start\":15,\"end\":20)"));
  EXPECT_THAT(Refusal("1", R"({"condition":"where c.n = 1","operations":[{"op":"remove","path":"/n"}]})"),
              HasSubstr(R"(\"start\":0,\"end\":5)"));
}

TEST_F(PatchApiTest, AConditionIsLookedAtInTheCommit) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":1,"l":["a"]})").status, 201);
  const auto patch = [&](const std::string& condition, const std::string& id = "1") {
    return Patch(id, R"({"condition":")" + condition + R"(","operations":[{"op":"incr","path":"/n","value":1}]})")
        .status;
  };
  EXPECT_EQ(patch("from c where c.n = 1"), 200);
  EXPECT_EQ(patch("from c where c.n = 1"), 412);
  EXPECT_EQ(patch("from x where ARRAY_CONTAINS(x.l, 'a') and x.missing = 1"), 412) << "undefined is not true";
  EXPECT_EQ(patch("from c join l in c.l where l = 'a'"), 200);
  EXPECT_EQ(patch("from c where c._ts > 0 and c.id = '1'"), 200);
  EXPECT_EQ(patch("from c where c.n = 1", "missing"), 404);
  EXPECT_EQ(ReadItem("1").At("/n"), "4");
}

// While a condition is evaluated, all writers of the partition wait.
TEST_F(PatchApiTest, AConditionThatLooksAtTooMuchIsRefused) {
  MakeItems();
  std::string list = "0";
  for (int i = 1; i < 100; ++i) list.append(",").append(std::to_string(i));
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":1,"l":[)" + list + "]}").status, 201);
  const auto patch = [&](const std::string& condition) {
    return Patch("1", R"({"condition":"from c )" + condition + R"(","operations":[{"op":"remove","path":"/n"}]})")
        .status;
  };
  EXPECT_EQ(patch("join a in c.l join b in c.l where a < 0"), 412) << "10,100 rows are not too many";
  EXPECT_EQ(patch("join a in c.l join b in c.l join d in c.l join e in c.l where a < 0"), 413);
  EXPECT_EQ(patch("where exists(select value 1 from a in c.l join b in c.l join d in c.l where a < 0)"), 413);
  EXPECT_EQ(ReadItem("1").At("/n"), "1");
}

// Work that cannot be interrupted must not take long either. It is counted, so the result is always the same.
TEST_F(PatchApiTest, AConditionThatTakesTooMuchWorkIsRefused) {
  MakeItems();
  std::string ring;
  for (int i = 0; i < 1500; ++i) ring += "[" + std::to_string(i % 90) + "." + std::to_string(i) + ",1.5],";
  std::string members;
  for (int i = 0; i < 20'000; ++i) members += "\"m" + std::to_string(i) + "\":1,";
  std::string list;
  for (int i = 0; i < 20'000; ++i) list += std::to_string(i) + ",";
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":1,"s":")" + std::string(300'000, 'a') + R"(","t":")" +
                       std::string(300'000, 'b') + R"(a","short":"abc","o":{)" + members + R"("z":1},"l":[)" + list +
                       R"(0],"g":{"type":"Polygon","coordinates":[[)" + ring + "[0.0,1.5]]]}}")
                .status,
            201);
  const auto patch = [&](const std::string& condition) {
    return Patch("1", R"({"condition":"from c )" + condition + R"(","operations":[{"op":"remove","path":"/n"}]})");
  };
  std::string much = "c.o.z = 2";
  for (int i = 0; i < 1'000; ++i) much += " or c.o.z = 2";
  std::string values = "1";
  for (int i = 2; i < 2'000; ++i) values += "," + std::to_string(i);
  std::string objects = "{}";
  for (int i = 2; i < 2'000; ++i) objects += ",{}";
  std::string patterns = "false";
  for (int i = 97; i <= 100; ++i) patterns += " or RegexMatch('a', '(\\\\\\\\pL{" + std::to_string(i) + "}){10}')";
  for (const std::string& condition : std::vector<std::string>{
           "where not RegexMatch(c.s, '(a?){200}a{200}b')",
           "where not RegexMatch(c.s, '[ab]*a[ab]{50}c')",
           "where RegexExtract(c.s, '(a?){200}a{200}b') = ''",
           "where ARRAY_LENGTH(RegexExtractAll(c.s, 'a')) = 1",
           "where " + patterns,
           "join i in c.l where RegexMatch('x', CONCAT('y', ToString(i)))",
           "where c.s like '%aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab%'",
           "where " + much,
           "join i in c.l where c.o.z = i and i < 0",
           "where c.o in (" + objects + ")",
           "where ARRAY_CONTAINS_ANY(c.l, " + values + ")",
           "where ARRAY_CONTAINS([c.o], c.o, true)",
           "where ST_ISVALID(c.g)",
           "where ST_DISTANCE(c.g, c.g) > 1",
           "where ARRAY_LENGTH(ARRAY(select distinct value c.s from i in c.l)) = 2",
       }) {
    Answer answer = patch(condition);
    EXPECT_EQ(answer.status, 413) << condition.substr(0, 100) << answer.body.substr(0, 300);
    EXPECT_THAT(answer.Message(), HasSubstr("more work than it may")) << condition.substr(0, 100);
  }
  EXPECT_EQ(ReadItem("1").At("/n"), "1");
  for (const std::string condition : {
           "where RegexMatch(c.s, 'b$')",
           "where TRIM(c.s, c.t) = 'x'",
           "where RegexMatch(c.short, '(a?){200}a{200}b')",
           "where RegexMatch(c.short, '(?=a)') and RegexMatch(c.short, '[A-Z][a-z]+@example', 'i')",
           "where contains(c.s, 'x') or c.s like '%x' or TRIM(c.s, 'xyz') = '' or UPPER(c.s) = 'A'",
           "where ARRAY_CONTAINS(c.l, {'a': 1}, true) or ARRAY_CONTAINS(c.l, -1) or c.o = c.l",
           "where ST_DISTANCE(c.g, {'type':'Point','coordinates':[1,2]}) < 0",
           "join i in c.l where i < 0",
       }) {
    EXPECT_EQ(patch(condition).status, 412) << condition;
  }
}

TEST_F(PatchApiTest, TheTtlRule) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","o":0})").status, 201);
  for (const char* ttl : {"0", "null", "-10", "1.5", "\"60\"", "true", "2147483648", "{}", "[1]"}) {
    EXPECT_THAT(Refusal("1", Operation("set", "/ttl", ttl)),
                HasSubstr("The input ttl '" + std::string(ttl[0] == '"' ? R"(\"60\")" : ttl) + "' is invalid."))
        << ttl;
  }
  EXPECT_THAT(Refusal("1", Operation("incr", "/ttl", "-7")), HasSubstr("The input ttl '-7' is invalid."));
  Refusal("1", R"([{"op":"move","from":"/o","path":"/ttl"}])");
  for (const char* ttl : {"-1", "1", "2147483647", "5.0"}) {
    EXPECT_EQ(Patch("1", Operation("add", "/ttl", ttl)).status, 200) << ttl;
  }
  EXPECT_EQ(Patch("1", R"([{"op":"set","path":"/ttl","value":0},{"op":"incr","path":"/ttl","value":9}])").At("/ttl"),
            "9")
      << "what comes out counts";
  EXPECT_EQ(Patch("1", Operation("set", "/o", R"({"ttl":"deeper is nobody's"})")).status, 200);
}

TEST_F(PatchApiTest, ExpiryFollowsThePatch) {
  MakeItems(R"("defaultTtl":10)");
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  PassSeconds(9);
  ASSERT_EQ(Patch("1", Operation("set", "/ttl", "3")).status, 200);
  PassSeconds(2);
  ASSERT_EQ(Patch("1", R"([{"op":"remove","path":"/ttl"}])").status, 200);
  PassSeconds(9);
  EXPECT_EQ(ReadItem("1").status, 200);
  PassSeconds(1);
  EXPECT_EQ(ReadItem("1").status, 404);
  Answer late = Patch("1", Operation("set", "/ttl", "-1"), {{"if-match", "*"}});
  EXPECT_EQ(late.status, 404);
  EXPECT_EQ(late.Message(), R"("Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found")");
}

TEST_F(PatchApiTest, TheKeyIsKeptWhenItLiesInAnArray) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/l/1"],"kind":"Hash"}})").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"1","l":["x","p"]})").status, 201);
  EXPECT_THAT(Refusal("1", Operation("add", "/l/0", "\"p\"")), HasSubstr("partition key"));
  EXPECT_THAT(Refusal("1", R"([{"op":"remove","path":"/l/0"}])"), HasSubstr("partition key"));
  EXPECT_EQ(Patch("1", Operation("set", "/l/0", "1")).At("/l"), R"([1,"p"])");
}

// The limits of an item apply to its JSON. A patch can produce any item that can be stored as a whole.
TEST_F(PatchApiTest, TheResultIsBounded) {
  MakeItems();
  constexpr size_t kItemMax = (2 << 20) - 1;
  const std::string frame = R"({"id":"1","pk":"p","t":""})";
  const auto text = [&](size_t more) { return "\"" + std::string(kItemMax - frame.size() + more, 'x') + "\""; };
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","t":0})").status, 201);
  EXPECT_EQ(Patch("1", Operation("set", "/t", text(0)), {{"prefer", "return=minimal"}}).status, 200);
  Answer large = Patch("1", Operation("set", "/t", text(1)));
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(large.At("/code"), R"("RequestEntityTooLarge")");
  EXPECT_EQ(Patch("1", Operation("set", "/n", "1")).status, 413);
  EXPECT_EQ(Patch("1", R"([{"op":"set","path":"/n","value":1},{"op":"remove","path":"/t"}])").status, 200)
      << "the result alone counts";

  // The densest JSON: 2 MB for which BSON needs six times the room.
  std::string digits = R"({"id":"2","pk":"p","l":[1)";
  while (digits.size() < kItemMax - 8) digits += ",1";
  ASSERT_EQ(CreateItem(digits + "]}").status, 201);
  EXPECT_EQ(Patch("2", Operation("set", "/l/0", "2"), {{"prefer", "return=minimal"}}).status, 200);
  EXPECT_EQ(Patch("2", Operation("add", "/l/0", "1234567")).status, 413);
  // Control characters take a sixth of their size in JSON.
  std::string controls;
  for (size_t i = 0; i < kItemMax / 6; ++i) controls += "\\u0001";
  EXPECT_EQ(Patch("1", Operation("set", "/t", "\"" + controls + "\"")).status, 413);
}

TEST_F(PatchApiTest, NestingIsBounded) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","o":{"in":{}}})").status, 201);
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(Patch("1", Operation("set", "/a", nested(127)), {{"prefer", "return=minimal"}}).status, 200);
  EXPECT_THAT(Refusal("1", Operation("set", "/a", nested(128))), HasSubstr("deeper than 128"));
  EXPECT_THAT(Refusal("1", R"([{"op":"move","from":"/a","path":"/o/in/a"}])"), HasSubstr("deeper than 128"));
}

TEST_F(PatchApiTest, NumbersAreStoredAsAReplaceStoresThem) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","kept":12.00,"n":2147483647})").status, 201);
  const Answer patched =
      Patch("1", R"([{"op":"incr","path":"/n","value":1},{"op":"set","path":"/i","value":9223372036854775807},)"
                 R"({"op":"set","path":"/d","value":9223372036854775808},{"op":"set","path":"/f","value":0.1}])");
  const Answer replaced =
      OneItem("PUT", "1",
              R"({"id":"1","pk":"p","kept":12.00,"n":2147483648,"i":9223372036854775807,"d":9223372036854775808,)"
              R"("f":0.1})");
  for (const char* path : {"/kept", "/n", "/i", "/d", "/f"}) EXPECT_EQ(patched.At(path), replaced.At(path)) << path;
}

TEST_F(PatchApiTest, TheFullChangeFeedShowsBeforeAndAfter) {
  MakeItems(R"("changeFeedPolicy":{"retentionDuration":60})");
  Headers feed{{"a-im", "Full-Fidelity Feed"},
               {"x-ms-cosmos-changefeed-wire-format-version", "2021-09-15"},
               {"x-ms-documentdb-partitionkeyrangeid", "0"}};
  feed["if-none-match"] = "*";
  feed["if-none-match"] = Send("GET", "/dbs/db/colls/c/docs", "", feed).headers["etag"];
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":1})").status, 201);
  ASSERT_EQ(Patch("1", Operation("incr", "/n", "1")).status, 200);
  const Answer changes = Send("GET", "/dbs/db/colls/c/docs", "", feed);
  ASSERT_EQ(changes.status, 200) << changes.body;
  EXPECT_EQ(changes.At("/Documents/1/metadata/operationType"), R"("replace")");
  EXPECT_EQ(changes.At("/Documents/1/previous/n"), "1");
  EXPECT_EQ(changes.At("/Documents/1/current/n"), "2");
  EXPECT_EQ(changes.At("/Documents/2"), "");
}

}  // namespace
}  // namespace lapse::api::cosmos
