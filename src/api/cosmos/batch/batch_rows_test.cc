// Tests batches in HybridRow: known bytes, every kind of damage, and a batch through the API.
#include "api/cosmos/batch/batch_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "api/cosmos/batch/batch_fixture.h"
#include "base/bytes.h"
#include "base/crc32.h"

namespace lapse::api::cosmos {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex = HexUpper(bytes);
  for (char& c : hex) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return hex;
}

std::string Bytes(std::string_view hex) {
  std::string packed, bytes;
  for (const char c : hex) {
    if (c != ' ') packed.push_back(c);
  }
  EXPECT_TRUE(FromHex(packed, &bytes)) << hex;
  return bytes;
}

const std::string kHead = "81f0d8ff7f010a000000";
const std::string kReadOfA = kHead + "81f1d8ff7f100000002022835e817054e17f1302000000020000000161";

// Returns a record with this row and its right checksum.
std::string Record(const std::string& row) {
  std::string record = Bytes("81f1d8ff7f");
  PutLittleEndian(&record, static_cast<int32_t>(row.size()));
  PutLittleEndian(&record, Crc32(row));
  return record + row;
}

// Returns a stream with one operation. `row` is hexadecimal, from the presence byte on.
std::string Stream(std::string_view row) {
  return Bytes(kHead) + Record(Bytes("817054e17f" + std::string(row)));
}

Status Read(const std::string& bytes, std::vector<BatchOperation>* operations) {
  operations->clear();
  return ReadBatchRows(bytes, operations);
}

TEST(BatchRowsTest, Crc32IsThatOfZlib) {
  EXPECT_EQ(Crc32(""), 0U);
  EXPECT_EQ(Crc32("123456789"), 0xCBF43926U);
  EXPECT_EQ(Crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339U);
}

TEST(BatchRowsTest, KnownRequest) {
  std::vector<BatchOperation> operations;
  const std::string bytes = Bytes(kReadOfA);
  ASSERT_TRUE(IsHybridRow(bytes));
  ASSERT_TRUE(Read(bytes, &operations).ok());
  ASSERT_EQ(operations.size(), 1U);
  EXPECT_EQ(operations[0].kind, engine::WriteKind::kRead);
  EXPECT_EQ(operations[0].id, "a");
  EXPECT_FALSE(operations[0].partition_key.has_value());
}

TEST(BatchRowsTest, KnownResult) {
  BatchResult result;
  result.status = 404;
  result.milli_ru = 1000;
  result.message = "not in this form";
  std::string out;
  AppendBatchRows({result}, &out);
  EXPECT_EQ(Hex(out), kHead + "81f1d8ff7f18000000419088e9817154e17f0394010000000000001006000000000000f03f");
  result = {};
  result.status = 200;
  result.etag = "\"e\"";
  result.resource = "{}";
  result.retry_after_ms = 5;
  out.clear();
  AppendBatchRows({result}, &out);
  EXPECT_THAT(Hex(out), ::testing::EndsWith("817154e17f0fc800000000000000032265220"
                                            "27b7d0b050500000010060000000000000000"));
}

TEST(BatchRowsTest, AnErrorHasItsTextAsBody) {
  BatchResult result;
  result.status = 400;
  result.substatus = 1001;
  result.name = "BadRequest";
  result.message = "a \"reason\"";
  std::string out;
  AppendBatchRows({result, {}}, &out);
  const std::string body = R"({"code":"BadRequest","message":"a \"reason\""})";
  EXPECT_THAT(Hex(out), ::testing::HasSubstr("817154e17f0b90010000e9030000" + Hex(std::string(1, char(body.size()))) +
                                             Hex(body) + "1006"));
  EXPECT_THAT(Hex(out), ::testing::EndsWith("817154e17f03a80100000000000010060000000000000000"))
      << "one that was only taken back has none";
}

TEST(BatchRowsTest, AllColumns) {
  std::vector<BatchOperation> operations;
  // Upsert: key ["p"], an effective key, id, binary id, body {}, a directive, both etags, columns with inline names,
  // minimal.
  const std::string bytes = Stream(
      "7f 14000000 02000000 05 5b2270225d 01 aa 01 61 01 bb 02 7b7d 14 08 07 4578636c756465 14 09 03 226522 14 0a 01 "
      "2a "
      "10 0f 6e6e 0000000000000000 07 10 6e6e6e 01000000 15 0d 00 0b 0e 6e 01000000 03 0c");
  ASSERT_TRUE(Read(bytes, &operations).ok());
  ASSERT_EQ(operations.size(), 1U);
  EXPECT_EQ(operations[0].kind, engine::WriteKind::kUpsert);
  EXPECT_EQ(operations[0].partition_key, R"(["p"])");
  EXPECT_EQ(operations[0].id, "a");
  EXPECT_EQ(operations[0].resource_text, "{}");
  EXPECT_EQ(operations[0].if_match, "\"e\"");
  EXPECT_EQ(operations[0].if_none_match, "*");
  EXPECT_EQ(operations[0].indexing_directive, "Exclude");
  EXPECT_TRUE(operations[0].minimal);
}

TEST(BatchRowsTest, WhatIsNotWellFormedIsRefused) {
  std::vector<BatchOperation> operations;
  const std::string good = Bytes(kReadOfA);
  // Tries every truncation and every changed byte, except truncation to the head alone.
  for (size_t i = 0; i < good.size(); ++i) {
    EXPECT_EQ(Read(good.substr(0, i), &operations).ok(), i == Bytes(kHead).size()) << i;
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_EQ(Read(changed, &operations).code(), Code::kInvalidArgument) << i;
  }
  for (const char* row : {
           "",                            // no presence
           "12 02000000 01 61",           // no operationType
           "11 02000000 01 61",           // no resourceType
           "93 02000000 02000000 01 61",  // an unknown column
           "13 03000000 02000000 01 61",  // an unknown type
           "13 ffffffff 02000000 01 61",
           "13 02000000 03000000 01 61",                 // another kind of resource
           "13 02000000 02000000 02 61",                 // longer than the row
           "13 02000000 02000000 ffffffffffff01 61",     // an invalid length
           "13 02000000 02000000 8080808010 61",         // 2^32
           "03 02000000 02000000",                       // a read without id
           "13 02000000 02000000 00",                    // an empty one
           "13 05000000 02000000 01 61",                 // a replace without a body
           "43 00000000 02000000 00",                    // an empty body
           "43 00000000 02000000 02 8000",               // binary JSON
           "13 02000000 02000000 01 61 07 09 01000000",  // ifMatch as a number
           "13 02000000 02000000 01 61 03 0a",           // ifNoneMatch as true
           "13 02000000 02000000 01 61 14 0c 01 78",     // minimalReturnPreference as text
           "13 02000000 02000000 01 61 07 08 01000000",  // indexingDirective as a number
           "13 02000000 02000000 01 61 07 0b 01000000",  // timeToLiveInSeconds
           "13 02000000 02000000 01 61 63 08",           // an unknown type of column
           "13 02000000 02000000 01 61 14",              // truncated
           "13 02000000 02000000 01 61 03 ff01",         // a name longer than the row
       }) {
    EXPECT_EQ(Read(Stream(row), &operations).code(), Code::kInvalidArgument) << row;
  }
  std::string negative = Bytes(kHead) + Bytes("81f1d8ff7f ffffffff 00000000");
  EXPECT_EQ(Read(negative, &operations).code(), Code::kInvalidArgument);
  std::string many = Bytes(kHead);
  for (int i = 0; i < 101; ++i) many += good.substr(Bytes(kHead).size());
  EXPECT_EQ(Read(many, &operations).message(), "Batch request has more operations than what is supported.");
  EXPECT_EQ(operations.size(), 100U);
}

class HybridRowApiTest : public BatchFixture {
 protected:
  static std::string Variable(std::string_view text) {
    return Hex(std::string(1, static_cast<char>(text.size()))) + Hex(text);
  }
};

TEST_F(HybridRowApiTest, AnswersInTheFormOfTheRequest) {
  MakeItems();
  EXPECT_EQ(Batch(Bytes(kReadOfA)).status, 207);
  Answer missing = Batch(Bytes(kReadOfA));
  EXPECT_EQ(Hex(missing.body), kHead + "81f1d8ff7f18000000419088e9817154e17f0394010000000000001006000000000000f03f");
  const std::string create = "43 00000000 02000000 " + Variable(R"({"id":"a","pk":"p"})");
  Answer made = Batch(Stream(create));
  EXPECT_EQ(made.status, 200);
  EXPECT_EQ(made.headers["content-type"], "application/octet-stream");
  EXPECT_THAT(made.body, ::testing::HasSubstr(ReadItem("a").body));
  EXPECT_EQ(Batch(Bytes(kReadOfA)).status, 200);
  // A patch, and an item that is invalid by itself.
  EXPECT_EQ(
      Batch(Stream("53 01000000 02000000 01 61 " + Variable(R"({"operations":[{"op":"set","path":"/n","value":1}]})")))
          .status,
      200);
  EXPECT_EQ(ReadItem("a").At("/n"), "1");
  EXPECT_EQ(Batch(Stream("43 00000000 02000000 " + Variable(R"({"id":)"))).status, 207);
  // The reason of a failure reaches the client.
  Answer refused =
      Batch(Stream("53 01000000 02000000 01 61 " + Variable(R"({"operations":[{"op":"remove","path":"/nowhere"}]})")));
  EXPECT_EQ(refused.status, 207);
  EXPECT_THAT(refused.body, ::testing::HasSubstr(R"({"code":"BadRequest","message":")"));
  EXPECT_THAT(refused.body, ::testing::HasSubstr("/nowhere"));
  Answer conflict = Batch(Stream(create));
  EXPECT_THAT(conflict.body, ::testing::HasSubstr(R"({"code":"Conflict","message":")"));
  Answer broken = Batch(Bytes(kReadOfA).substr(0, 30));
  EXPECT_EQ(broken.status, 400);
  EXPECT_EQ(broken.At("/code"), R"("BadRequest")") << "errors of the whole request are JSON";
  EXPECT_EQ(Batch(Bytes(kHead)).Message(), R"("Batch request has no operations.")");
  Answer bulk = Bulk(Stream("47 00000000 02000000 " + Variable(R"(["p"])") + Variable(R"({"id":"b","pk":"p"})")));
  EXPECT_EQ(bulk.status, 200) << bulk.body;
  EXPECT_EQ(ReadItem("b").status, 200);
}

}  // namespace
}  // namespace lapse::api::cosmos
