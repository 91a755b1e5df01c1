#include "api/cosmos/wire/credentials/authorization_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

Status Parsed(const std::string& header) {
  AuthorizationHeader parsed;
  return parsed.Parse(header);
}

TEST(AuthorizationHeaderTest, TakesTheEncodedAndThePlainForm) {
  for (const char* text : {"type=master&ver=1.0&sig=a+b/c=", "type%3Dmaster%26ver%3d1.0%26sig%3Da%2bb%2Fc%3D"}) {
    AuthorizationHeader header;
    ASSERT_TRUE(header.Parse(text).ok()) << text;
    EXPECT_EQ(header.type(), AuthorizationHeader::Type::kKey);
    EXPECT_EQ(header.proof(), "a+b/c=");
  }
  AuthorizationHeader token;
  ASSERT_TRUE(token.Parse("type%3Dresource%26ver%3D1.0%26sig%3Dabc").ok());
  EXPECT_EQ(token.type(), AuthorizationHeader::Type::kResourceToken);
  EXPECT_EQ(token.proof(), "abc");
}

TEST(AuthorizationHeaderTest, RefusesOtherForms) {
  for (const char* text : {"", "x", "null", "Bearer x", "type=master", "type=master&ver=1.0",
                           "type=master&ver=2.0&sig=", "type=master&ver=1.0&sig=a&b", "ver=1.0&type=master&sig=a",
                           "type=sas&ver=1.0&sig=a", "type%3Dmaster%26ver%3D1.0%26sig%3D%",
                           "type%3Dmaster%26ver%3D1.0%26sig%3D%4", "type%3Dmaster%26ver%3D1.0%26sig%3D%ZZ"}) {
    EXPECT_EQ(Parsed(text).code(), Code::kUnauthenticated) << text;
  }
}

TEST(AuthorizationHeaderTest, SaysWhatToUseInsteadOfEntraTokens) {
  const Status refused = Parsed("type%3Daad%26ver%3D1.0%26sig%3D" + std::string(12'000, 'a'));
  EXPECT_EQ(refused.code(), Code::kUnauthenticated);
  EXPECT_THAT(refused.message(), HasSubstr("account key"));
  EXPECT_THAT(refused.message(), HasSubstr("resource token"));
}

TEST(AuthorizationHeaderTest, BoundsEachKind) {
  const auto with_size = [](const std::string& text, size_t size) {
    return text + std::string(size - text.size(), 'a');
  };
  const std::string key = "type=master&ver=1.0&sig=", token = "type=resource&ver=1.0&sig=", entra = "type=aad&ver=1.0&";
  EXPECT_TRUE(Parsed(with_size(key, kKeyHeaderBytesMax)).ok());
  EXPECT_EQ(Parsed(with_size(key, kKeyHeaderBytesMax + 1)).code(), Code::kInvalidArgument);
  EXPECT_TRUE(Parsed(with_size(token, kTokenHeaderBytesMax)).ok());
  EXPECT_EQ(Parsed(with_size(token, kTokenHeaderBytesMax + 1)).code(), Code::kInvalidArgument);
  EXPECT_EQ(Parsed(with_size(entra, kEntraHeaderBytesMax)).code(), Code::kUnauthenticated);
  EXPECT_EQ(Parsed(with_size(entra, kEntraHeaderBytesMax + 1)).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace lapse::api::cosmos
