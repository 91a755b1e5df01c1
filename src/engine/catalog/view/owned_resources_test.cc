#include "engine/catalog/view/owned_resources.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/view/catalog_view.h"
#include "engine/engine_fixture.h"
#include "engine/shard/purge/engine_families.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kKind = 1, kOtherKind = 2;

class OwnedResourcesTest : public EngineFixture {
 protected:
  OwnedResourcesTest() { database_ = (*catalog_store().CreateDatabase("db", 0, ""))->id; }

  CatalogView& catalog() { return engine_->catalog(); }
  CatalogStore& catalog_store() { return engine_->catalog_store(); }
  ResourcePlace Place(ResourceNumber owner = 0, uint8_t kind = kKind) const { return {database_, owner, kind}; }

  static ResourceContent Named(const std::string& name, const std::string& unique = "",
                               const std::string& properties = "") {
    return {name, unique, properties};
  }

  ResourceNumber Make(const ResourcePlace& place, const ResourceContent& content) {
    auto made = catalog_store().CreateResource(place, content);
    EXPECT_TRUE(made.ok()) << made.status().ToString();
    return made.ok() ? (*made)->number : 0;
  }

  std::vector<std::string> Names(const ResourcePlace& place) {
    std::vector<std::string> names;
    const auto listed = catalog().ListResources(place, "", 100);
    EXPECT_TRUE(listed.ok());
    for (const OwnedResourcePtr& one : *listed) names.push_back(one->content.name);
    return names;
  }

  DatabaseId database_ = 0;
};

TEST_F(OwnedResourcesTest, ANameIsGivenOnceInItsPlace) {
  const ResourceNumber user = Make(Place(), Named("a"));
  EXPECT_EQ(catalog_store().CreateResource(Place(), Named("a")).status().code(), Code::kAlreadyExists);
  Make(Place(0, kOtherKind), Named("a"));
  const ResourceNumber below = Make(Place(user, kOtherKind), Named("a", "x"));
  EXPECT_EQ(catalog_store().CreateResource(Place(user, kOtherKind), Named("b", "x")).status().code(),
            Code::kAlreadyExists);
  const ResourceNumber other = Make(Place(user, kOtherKind), Named("b", "y"));
  EXPECT_EQ(catalog_store().ReplaceResource(other, Named("a", "y"), 0).status().code(), Code::kAlreadyExists);
  EXPECT_EQ(catalog_store().ReplaceResource(other, Named("b", "x"), 0).status().code(), Code::kAlreadyExists);
  EXPECT_TRUE(catalog_store().ReplaceResource(below, Named("c", "x"), 0).ok()) << "its own text is no other's";
  EXPECT_EQ(Names(Place(user, kOtherKind)), (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(catalog().FindResource(Place(user, kOtherKind), "a").status().code(), Code::kNotFound);
}

TEST_F(OwnedResourcesTest, AllIsThereAfterARestartAndNumbersRise) {
  const ResourceNumber first = Make(Place(), Named("a", "", "bson"));
  PassSeconds(10);
  ASSERT_TRUE(catalog_store().ReplaceResource(first, Named("b", "u", "more"), 1).ok());
  const ResourceNumber gone = Make(Place(), Named("gone"));
  ASSERT_TRUE(catalog_store().DropResource(gone, 0).ok());
  Restart();
  const auto found = catalog().FindResource(Place(), "b");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ((*found)->number, first);
  EXPECT_EQ((*found)->content.properties, "more");
  EXPECT_EQ((*found)->content.unique, "u");
  EXPECT_EQ((*found)->revision, 2U);
  EXPECT_EQ((*found)->ts_s, kStart_s + 10);
  EXPECT_EQ(catalog().FindResource(gone).status().code(), Code::kNotFound);
  EXPECT_GT(Make(Place(), Named("next")), gone) << "a number is never given twice";
}

TEST_F(OwnedResourcesTest, ADropTakesWhatIsBelow) {
  const ResourceNumber user = Make(Place(), Named("a"));
  const ResourceNumber below = Make(Place(user, kOtherKind), Named("p"));
  EXPECT_EQ(catalog_store().DropResource(user, 7).code(), Code::kPreconditionFailed);
  ASSERT_TRUE(catalog_store().DropResource(user, 1).ok());
  EXPECT_EQ(catalog().FindResource(below).status().code(), Code::kNotFound);
  EXPECT_EQ(catalog_store().CreateResource(Place(user, kOtherKind), Named("p")).status().code(), Code::kNotFound);
  Restart();
  EXPECT_EQ(catalog().FindResource(below).status().code(), Code::kNotFound);
}

TEST_F(OwnedResourcesTest, ADroppedDatabaseLeavesNothing) {
  const ResourceNumber user = Make(Place(), Named("a"));
  const ResourceNumber below = Make(Place(user, kOtherKind), Named("p"));
  ASSERT_TRUE(catalog_store().DropDatabase("db").ok());
  EXPECT_EQ(catalog().FindResource(below).status().code(), Code::kNotFound);
  EXPECT_EQ(catalog_store().CreateResource(Place(), Named("a")).status().code(), Code::kNotFound);
  Restart();
  EXPECT_EQ(catalog().FindResource(user).status().code(), Code::kNotFound);
}

TEST_F(OwnedResourcesTest, AListGoesOnBehindAName) {
  for (const char* name : {"c", "a", "b", "d"}) Make(Place(), Named(name));
  const auto page = *catalog().ListResources(Place(), "a", 2);
  ASSERT_EQ(page.size(), 2U);
  EXPECT_EQ(page[0]->content.name, "b");
  EXPECT_EQ(page[1]->content.name, "c");
}

TEST_F(OwnedResourcesTest, TheSecretIsMadeOnce) {
  EXPECT_EQ(*catalog_store().KeepSecret("first"), "first");
  EXPECT_EQ(*catalog_store().KeepSecret("second"), "first");
  Restart();
  EXPECT_EQ(*catalog_store().KeepSecret("third"), "first");
}

class FaultyOwnedResourcesTest : public OwnedResourcesTest {
 protected:
  // Reopens the engine on a shard that can fail.
  void StartOnFaultyShard(const store::FaultyOptions& faults) {
    engine_.reset();
    auto faulty = std::make_unique<store::FaultyShard>(faults, EngineFamilies());
    faulty->set_faults(false);
    shard_ = std::move(faulty);
    Restart();
    database_ = (*catalog_store().CreateDatabase("db", 0, ""))->id;
  }
  store::FaultyShard& shard() { return static_cast<store::FaultyShard&>(*shard_); }
};

TEST_F(FaultyOwnedResourcesTest, ADropInDoubtIsSettledByTheStore) {
  StartOnFaultyShard({.fail_after_per_mille = 1000, .read_fail_per_mille = 1000});
  const ResourceNumber user = Make(Place(), Named("a"));
  shard().set_faults(true);
  EXPECT_EQ(catalog_store().DropResource(user, 0).code(), Code::kUnknownOutcome);
  EXPECT_EQ(catalog().FindResource(user).status().code(), Code::kUnavailable) << "nobody is let in on a guess";
  EXPECT_EQ(catalog().ListResources(Place(), "", 1).status().code(), Code::kUnavailable);
  shard().set_faults(false);
  ASSERT_TRUE(catalog_store().Settle().ok());
  EXPECT_EQ(catalog().FindResource(user).status().code(), Code::kNotFound);
}

TEST_F(FaultyOwnedResourcesTest, WhatWasTakenBackStaysSoAfterACrash) {
  durability_ = store::Durability::kRelaxed;
  StartOnFaultyShard({});
  const ResourceNumber dropped = Make(Place(), Named("dropped"));
  const ResourceNumber changed = Make(Place(), Named("changed"));
  ASSERT_TRUE(catalog_store().ReplaceResource(changed, Named("changed", "", "less"), 0).ok());
  ASSERT_TRUE(catalog_store().DropResource(dropped, 0).ok());
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    engine_.reset();
    shard_ = shard().Crash(seed);
    shard().set_faults(false);
    Restart();
    EXPECT_EQ(catalog().FindResource(dropped).status().code(), Code::kNotFound);
    EXPECT_EQ((*catalog().FindResource(changed))->content.properties, "less");
  }
}

TEST_F(FaultyOwnedResourcesTest, AFullDiskTakesDropsAndNoCreations) {
  StartOnFaultyShard({});
  const ResourceNumber user = Make(Place(), Named("a"));
  shard().set_full(true);
  EXPECT_EQ(catalog_store().CreateResource(Place(), Named("b")).status().code(), Code::kNoSpace);
  EXPECT_TRUE(catalog_store().DropResource(user, 0).ok());
  EXPECT_TRUE(catalog_store().KeepSecret("secret").ok());
}

TEST(OwnedResourceTest, RefusesBytesThatAreNone) {
  OwnedResource resource;
  resource.content = {"name", "unique", "properties"};
  const std::string bytes = EncodeOwnedResource(resource);
  EXPECT_TRUE(DecodeOwnedResource(bytes).ok());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(DecodeOwnedResource(bytes.substr(0, size)).status().code(), Code::kCorruption) << size;
  }
  EXPECT_EQ(DecodeOwnedResource(bytes + "x").status().code(), Code::kCorruption);
  EXPECT_EQ(DecodeResourceCounter("\1").status().code(), Code::kCorruption);
}

}  // namespace
}  // namespace lapse::engine
