// Patches: parts of items are changed within the commit, by the rules of the API that sends them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "doc/edit.h"
#include "doc/json.h"
#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using EditKind = doc::Edit::Kind;
using Kind = ItemWrite::Kind;

// A document has its own lifetime as a whole number in `ttl`.
class TestRules : public PatchRules {
 public:
  Status Explain(const std::vector<doc::Edit>& edits, const doc::EditError& error) const override {
    return {Code::kInvalidArgument, "edit " + std::to_string(error.edit) + " of " + std::to_string(edits.size())};
  }
  Result<std::optional<int32_t>> OwnTtlOf(std::string_view document) const override {
    const doc::Value ttl = doc::Find(document, "ttl");
    if (ttl.missing()) return std::optional<int32_t>();
    if (ttl.type() != doc::Type::kInt32) return Status(Code::kInvalidArgument, "bad ttl");
    return std::optional(ttl.AsInt32());
  }
};

class PatchTest : public EngineFixture {
 protected:
  static std::string Bson(std::string_view json) {
    std::string bson;
    EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
    return bson;
  }

  static doc::Edit Edit(EditKind kind, std::string_view path, std::string_view value_json = "null") {
    doc::Edit edit;
    edit.kind = kind;
    edit.path = *doc::Path::FromPointer(path, 100);
    const std::string holder = Bson("{\"v\":" + std::string(value_json) + "}");
    edit.value = doc::OwnedValue(doc::Find(holder, "v"));
    return edit;
  }
  static doc::Edit Set(std::string_view path, std::string_view value_json) {
    return Edit(EditKind::kSet, path, value_json);
  }

  ItemWrite Operation(const ContainerPtr& container, Kind kind, std::string_view id, std::string_view json = "") {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, "pk", id);
    if (!json.empty()) write.document = Bson(json);
    return write;
  }

  ItemWrite PatchOf(const ContainerPtr& container, std::string_view id, std::vector<doc::Edit> edits) {
    ItemWrite write = Operation(container, Kind::kPatch, id);
    write.patch = {.edits = std::move(edits), .limits = {}, .rules = &rules_};
    return write;
  }

  Result<ItemWritten> Patch(const ContainerPtr& container, std::string_view id, std::vector<doc::Edit> edits) {
    return Write(container, PatchOf(container, id, std::move(edits)));
  }

  static std::string Json(std::string_view document) {
    std::string json;
    doc::ObjectToJson(document, &json);
    return json;
  }

  // Returns the document as JSON, or the name of the error.
  static std::string Shown(const ContainerPtr& container, std::string_view id) {
    auto item = container->Read(Address(*container, "pk", id));
    return item.ok() ? Json(item->document) : std::string(CodeName(item.status().code()));
  }

  AtomicOutcome WriteAll(const ContainerPtr& container, std::vector<ItemWrite> operations) {
    AtomicOutcome outcome;
    container->WriteAtomically(std::move(operations), [&](AtomicOutcome done) { outcome = std::move(done); });
    return outcome;
  }

  // Returns the changes of a container that keeps them: `kind before>after`.
  static std::vector<std::string> Changes(const ContainerPtr& container) {
    std::vector<std::string> changes;
    EXPECT_TRUE(container
                    ->ReadLog({},
                              [&](const LoggedChange& change, Place) {
                                std::string text;
                                if (!change.previous_doc.empty()) text = Json(change.previous_doc);
                                text += ">";
                                if (!change.current.empty()) text += Json(change.current);
                                changes.push_back(text);
                                return true;
                              })
                    .ok());
    return changes;
  }

  const TestRules rules_{};
};

TEST_F(PatchTest, IsAReplaceOfParts) {
  ContainerPtr c = MakeContainer("c", -1);
  const ItemWritten created = *Create(c, "a", Bson(R"({"id":"a","pk":"pk","n":1})"));
  PassSeconds(3);
  const Result<ItemWritten> patched = Patch(c, "a", {Set("/n", "2"), Set("/l", "[1]")});
  ASSERT_TRUE(patched.ok()) << patched.status().ToString();
  EXPECT_FALSE(patched->created);
  EXPECT_EQ(patched->meta.number, created.meta.number);
  EXPECT_EQ(patched->meta.lsn, 2U);
  EXPECT_EQ(patched->meta.version, (ItemVersion{.sequence = 2, .ts_s = kStart_s + 3}));
  const std::string after = R"({"id":"a","pk":"pk","n":2,"l":[1]})";
  EXPECT_EQ(Json(patched->document), after);
  EXPECT_EQ(patched->milli_ru, WriteMilliRu(Kind::kReplace, false, Bson(after), *c->state()));
  EXPECT_EQ(Shown(c, "a"), after);
  EXPECT_EQ(*Census(*c).Live(), (Count{1, static_cast<int64_t>(Bson(after).size())}));
  Restart();
  EXPECT_EQ(Shown(Find("c"), "a"), after);
}

TEST_F(PatchTest, OfWhatIsNotThereOrHasExpiredIsNotFound) {
  ContainerPtr c = MakeContainer("c", 10);
  ASSERT_TRUE(Create(c, "a", Bson("{}")).ok());
  EXPECT_EQ(Patch(c, "none", {Set("/n", "1")}).status().code(), Code::kNotFound);
  PassSeconds(9);
  EXPECT_TRUE(Patch(c, "a", {Set("/n", "1")}).ok()) << "and the countdown begins again";
  PassSeconds(9);
  EXPECT_EQ(Shown(c, "a"), R"({"n":1})");
  PassSeconds(1);
  EXPECT_EQ(Patch(c, "a", {Set("/n", "1")}).status().code(), Code::kNotFound);
  EXPECT_EQ(Patch(c, "a", {Edit(EditKind::kRemove, "/none")}).status().code(), Code::kNotFound);
  EXPECT_EQ(Shown(c, "a"), "not found");
}

TEST_F(PatchTest, ThePreconditionComesBeforeTheEdits) {
  ContainerPtr c = MakeContainer("c", -1);
  const ItemWritten created = *Create(c, "a", Bson("{}"));
  ItemWrite stale = PatchOf(c, "a", {Edit(EditKind::kRemove, "/none")});
  stale.precondition = {Precondition::Kind::kMatches, {.sequence = 7, .ts_s = kStart_s}};
  EXPECT_EQ(Write(c, stale).status().code(), Code::kPreconditionFailed);
  ItemWrite good = stale;
  good.precondition.version = created.meta.version;
  EXPECT_EQ(Write(c, good).status().message(), "edit 0 of 1");
  good.patch.edits = {Set("/n", "1")};
  EXPECT_TRUE(Write(c, good).ok());
  EXPECT_EQ(Write(c, good).status().code(), Code::kPreconditionFailed);
  good.precondition.kind = Precondition::Kind::kExists;
  EXPECT_TRUE(Write(c, good).ok());
}

TEST_F(PatchTest, AFailureLeavesNoTrace) {
  ContainerPtr c = MakeContainer("c", 10, 0, 3600);
  ASSERT_TRUE(Create(c, "a", Bson(R"({"n":1})")).ok());
  const std::vector<std::string> before = Contents();
  const Result<ItemWritten> edits = Patch(c, "a", {Set("/n", "2"), Edit(EditKind::kRemove, "/none")});
  EXPECT_EQ(edits.status().code(), Code::kInvalidArgument);
  EXPECT_EQ(edits.status().message(), "edit 1 of 2");
  EXPECT_EQ(Patch(c, "a", {Set("/n", "2"), Set("/ttl", "\"x\"")}).status().message(), "bad ttl");
  ItemWrite large = PatchOf(c, "a", {Set("/n", "\"some text\"")});
  large.patch.limits.bytes_max = 10;
  EXPECT_EQ(Write(c, large).status().message(), "edit 0 of 1");
  EXPECT_EQ(Contents(), before);
  EXPECT_EQ(Shown(c, "a"), R"({"n":1})");
}

TEST_F(PatchTest, AnOwnTtlCountsFromThePatch) {
  ContainerPtr c = MakeContainer("c", 100);
  ASSERT_TRUE(Create(c, "a", Bson("{}")).ok());
  PassSeconds(50);
  ASSERT_TRUE(Patch(c, "a", {Set("/ttl", "5")}).ok());
  PassSeconds(4);
  EXPECT_EQ(Shown(c, "a"), R"({"ttl":5})");
  ASSERT_TRUE(Patch(c, "a", {Edit(EditKind::kIncrement, "/ttl", "2")}).ok());
  PassSeconds(6);
  EXPECT_EQ(Shown(c, "a"), R"({"ttl":7})");
  ASSERT_TRUE(Patch(c, "a", {Edit(EditKind::kRemove, "/ttl")}).ok());
  PassSeconds(99);
  EXPECT_EQ(Shown(c, "a"), "{}") << "it inherits again";
  ASSERT_TRUE(Patch(c, "a", {Set("/ttl", "-1")}).ok());
  PassSeconds(1000);
  EXPECT_EQ(Shown(c, "a"), R"({"ttl":-1})");
  ASSERT_TRUE(Patch(c, "a", {Set("/ttl", "3")}).ok());
  PassSeconds(3);
  EXPECT_EQ(Shown(c, "a"), "not found");
  EXPECT_EQ(Patch(c, "a", {Set("/ttl", "-1")}).status().code(), Code::kNotFound);
  EXPECT_THAT(Feed(c), IsEmpty());
}

TEST_F(PatchTest, ThePartitionKeyStays) {
  ContainerDefinition definition;
  definition.name = "c";
  definition.partition_key.paths = {doc::Path({"l", "1"})};
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
  ContainerPtr c = *engine_->catalog_store().CreateContainer("db", definition);
  ASSERT_TRUE(Create(c, "a", Bson(R"({"l":["x","pk","z"]})")).ok());
  EXPECT_EQ(Patch(c, "a", {Edit(EditKind::kRemove, "/l/0")}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Patch(c, "a", {Edit(EditKind::kAdd, "/l/0", "1")}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Patch(c, "a", {Set("/l/1", "1")}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Shown(c, "a"), R"({"l":["x","pk","z"]})");
  EXPECT_TRUE(Patch(c, "a", {Edit(EditKind::kRemove, "/l/2"), Set("/l/0", "1")}).ok());
  EXPECT_EQ(Shown(c, "a"), R"({"l":[1,"pk"]})");
}

TEST_F(PatchTest, TheChangeLogShowsBeforeAndAfter) {
  ContainerPtr c = MakeContainer("c", -1, 0, 3600);
  ASSERT_TRUE(Create(c, "a", Bson(R"({"n":1})")).ok());
  ASSERT_TRUE(Patch(c, "a", {Edit(EditKind::kIncrement, "/n", "1")}).ok());
  EXPECT_FALSE(Patch(c, "a", {Edit(EditKind::kIncrement, "/n", "\"1\"")}).ok());
  ASSERT_TRUE(Patch(c, "a", {Set("/ttl", "1")}).ok());
  PassSeconds(1);
  ASSERT_TRUE(Create(c, "a", Bson("{}")).ok());
  EXPECT_THAT(Changes(c), ElementsAre(R"(>{"n":1})", R"({"n":1}>{"n":2})", R"({"n":2}>{"n":2,"ttl":1})",
                                      R"({"n":2,"ttl":1}>)", ">{}"));
}

TEST_F(PatchTest, OperationsOfOneWriteSeeEachOther) {
  for (const int64_t retention_s : {0, 3600}) {
    ContainerPtr c = MakeContainer("c" + std::to_string(retention_s), 100, 0, retention_s);
    ASSERT_TRUE(Create(c, "there", Bson(R"({"n":10})")).ok());
    ASSERT_EQ(Shown(c, "there"), R"({"n":10})") << "and into the cache";
    const doc::Edit more = Edit(EditKind::kIncrement, "/n", "1");
    const AtomicOutcome done = WriteAll(
        c, {Operation(c, Kind::kCreate, "new", R"({"n":1})"), PatchOf(c, "new", {more}), PatchOf(c, "there", {more}),
            PatchOf(c, "there", {more, more}), PatchOf(c, "new", {more, Set("/ttl", "5")})});
    ASSERT_TRUE(done.status.ok()) << done.status.ToString();
    ASSERT_EQ(done.written.size(), 5U);
    EXPECT_EQ(Json(done.written[1].document), R"({"n":2})");
    EXPECT_EQ(Json(done.written[2].document), R"({"n":11})");
    EXPECT_EQ(Json(done.written[3].document), R"({"n":13})");
    EXPECT_EQ(Shown(c, "new"), R"({"n":3,"ttl":5})");
    EXPECT_EQ(Shown(c, "there"), R"({"n":13})");
    const std::vector<std::string> before = Contents();
    const AtomicOutcome failed =
        WriteAll(c, {PatchOf(c, "new", {more}), Operation(c, Kind::kDelete, "there"), PatchOf(c, "there", {more})});
    EXPECT_EQ(failed.status.code(), Code::kNotFound);
    EXPECT_EQ(failed.failed_at, 2U);
    EXPECT_EQ(Contents(), before);
    PassSeconds(5);
    EXPECT_EQ(Shown(c, "new"), "not found");
  }
}

// The documents that patches make count towards the limit of one write, however small the patches are.
TEST_F(PatchTest, ASmallPatchOfALargeItemCountsAsALargeDocument) {
  ContainerPtr c = MakeContainer("c", -1);
  constexpr size_t kTextBytes = 1 << 20;
  ASSERT_TRUE(Create(c, "a", Bson(R"({"t":")" + std::string(kTextBytes, 'x') + "\"}")).ok());
  const size_t fits = kAtomicWriteBytesMax / (kTextBytes + 100);
  std::vector<ItemWrite> operations(fits, PatchOf(c, "a", {Edit(EditKind::kIncrement, "/n", "1")}));
  EXPECT_TRUE(WriteAll(c, operations).status.ok());
  operations.resize(fits + 2, operations.front());
  const AtomicOutcome outcome = WriteAll(c, operations);
  EXPECT_EQ(outcome.status.code(), Code::kTooLarge);
  EXPECT_EQ(doc::Find(c->Read(Address(*c, "pk", "a"))->document, "n").AsInt32(), static_cast<int32_t>(fits));
}

// A condition that holds and uses `takes` steps.
class Laborious : public ItemCondition {
 public:
  explicit Laborious(uint64_t takes) : takes_(takes) {}
  Result<bool> Holds(const ItemMeta&, std::string_view, int64_t, uint64_t* steps) const override {
    if (*steps < takes_) return Status(Code::kTooLarge, "too much");
    *steps -= takes_;
    return true;
  }

 private:
  const uint64_t takes_;
};

TEST_F(PatchTest, ConditionsOfOneWriteShareTheirSteps) {
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "a", Bson("{}")).ok());
  std::vector<ItemWrite> operations(4, PatchOf(c, "a", {Edit(EditKind::kIncrement, "/n", "1")}));
  for (ItemWrite& one : operations) one.patch.condition = std::make_shared<Laborious>(kConditionStepsMax / 4);
  EXPECT_TRUE(WriteAll(c, operations).status.ok());
  operations.push_back(operations.front());
  const AtomicOutcome outcome = WriteAll(c, operations);
  EXPECT_EQ(outcome.status.code(), Code::kTooLarge);
  EXPECT_EQ(outcome.failed_at, 4U);
  EXPECT_EQ(Shown(c, "a"), R"({"n":4})");
}

TEST_F(PatchTest, ACommitEndsWhenItsConditionsHaveTakenTheirSteps) {
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "a", Bson("{}")).ok());
  std::vector<uint64_t> last_of_commit;
  std::vector<RequestMeter> meters(6);
  std::vector<MeteredWrite> writes;
  for (RequestMeter& meter : meters) {
    ItemWrite one = PatchOf(c, "a", {Edit(EditKind::kIncrement, "/n", "1")});
    one.patch.condition = std::make_shared<Laborious>(kConditionStepsMax / 2);
    writes.push_back({std::move(one),
                      [&](Result<ItemWritten> done) {
                        ASSERT_TRUE(done.ok()) << done.status().ToString();
                        last_of_commit.push_back(done->partition_lsn);
                      },
                      &meter});
  }
  c->WriteEach(std::move(writes));
  EXPECT_THAT(last_of_commit, ElementsAre(3, 3, 5, 5, 7, 7));
  EXPECT_EQ(Shown(c, "a"), R"({"n":6})");
}

// 8 MB of documents are read before the commit blocks other writers. The rest are read when they are needed.
TEST_F(PatchTest, MoreThanIsReadAhead) {
  ContainerPtr c = MakeContainer("c", -1);
  std::vector<ItemWrite> operations;
  for (int i = 0; i < 14; ++i) {
    const std::string id = std::to_string(i);
    ASSERT_TRUE(Create(c, id, Bson(R"({"t":")" + std::string(1 << 20, 'x') + R"(","n":)" + id + "}")).ok());
    operations.push_back(PatchOf(c, id, {Edit(EditKind::kRemove, "/t"), Edit(EditKind::kIncrement, "/n", "100")}));
  }
  Restart();
  c = Find("c");
  const AtomicOutcome done = WriteAll(c, operations);
  ASSERT_TRUE(done.status.ok()) << done.status.ToString();
  for (int i = 0; i < 14; ++i) EXPECT_EQ(Shown(c, std::to_string(i)), "{\"n\":" + std::to_string(100 + i) + "}");
}

}  // namespace
}  // namespace lapse::engine
