#include "api/cosmos/wire/credentials/authenticator.h"

#include <gtest/gtest.h>

#include <string>

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kEmulatorKey =
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
constexpr std::string_view kReadOnlyKey = "cmVhZC1vbmx5LWtleQ==";
constexpr std::string_view kDate = "Fri, 02 Jan 2026 03:04:05 GMT";
constexpr int64_t kDateMs = 1'767'323'045'000;
constexpr SignedParts kParts{"GET", "docs", "dbs/MyDb/colls/MyColl/docs/Ab 1"};

class AuthTest : public ::testing::Test {
 protected:
  Code CheckCode(const std::string& authorization, std::string_view date = kDate, int64_t now_ms = kDateMs) const {
    return auth_.Check(kParts, authorization, date, {}, now_ms).status().code();
  }

  Authenticator auth_ = *Authenticator::Create(kEmulatorKey, kReadOnlyKey);
  const std::string good_ = "type%3dmaster%26ver%3d1.0%26sig%3ddSLMkWFIHCit4QGySKmxhkjJ9a%2BbdAS2yblq6xQXGBg%3D";
};

TEST_F(AuthTest, SignsTheKnownVector) {
  EXPECT_EQ(auth_.Sign(kParts, kDate), "dSLMkWFIHCit4QGySKmxhkjJ9a+bdAS2yblq6xQXGBg=");
}

TEST_F(AuthTest, AcceptsTheEncodedAndThePlainForm) {
  auto access = auth_.Check(kParts, good_, kDate, {}, kDateMs);
  ASSERT_TRUE(access.ok()) << access.status().ToString();
  EXPECT_EQ(*access, Access::kFull);
  EXPECT_EQ(CheckCode("type=master&ver=1.0&sig=dSLMkWFIHCit4QGySKmxhkjJ9a+bdAS2yblq6xQXGBg="), Code::kOk);
}

TEST_F(AuthTest, VerbTypeAndDateIgnoreCaseTheLinkDoesNot) {
  EXPECT_EQ(auth_.Sign({"get", "DOCS", kParts.resource_link}, "FRI, 02 jan 2026 03:04:05 gmt"),
            auth_.Sign(kParts, kDate));
  EXPECT_NE(auth_.Sign({"GET", "docs", "dbs/mydb/colls/mycoll/docs/ab 1"}, kDate), auth_.Sign(kParts, kDate));
}

TEST_F(AuthTest, TellsTheReadOnlyKey) {
  Authenticator reader = *Authenticator::Create(kReadOnlyKey, "");
  auto access = auth_.Check(kParts, "type=master&ver=1.0&sig=" + reader.Sign(kParts, kDate), kDate, {}, kDateMs);
  ASSERT_TRUE(access.ok());
  EXPECT_EQ(*access, Access::kReadOnly);
}

TEST_F(AuthTest, EachOfTheFourKeysIsGoodByItself) {
  const AccountKeys keys = {.primary = std::string(kEmulatorKey),
                            .secondary = "c2Vjb25kYXJ5",
                            .read_only = std::string(kReadOnlyKey),
                            .secondary_read_only = "b3RoZXIgcmVhZGVy"};
  const Authenticator all = *Authenticator::Create(keys);
  for (const auto& [name, key] : kAccountKeyNames) {
    const Authenticator signer = *Authenticator::Create(keys.*key, "");
    const auto access = all.Check(kParts, "type=master&ver=1.0&sig=" + signer.Sign(kParts, kDate), kDate, {}, kDateMs);
    ASSERT_TRUE(access.ok()) << name;
    EXPECT_EQ(*access == Access::kReadOnly, name.find("read-only") != std::string_view::npos) << name;
  }
}

TEST_F(AuthTest, AWrongSignatureIsToldWhatToSign) {
  const auto refused =
      auth_.Check({"GET", "docs", "dbs/\xE6\x97\xFF"}, "type=master&ver=1.0&sig=x", kDate, {}, kDateMs);
  EXPECT_NE(refused.status().message().find("'get\ndocs\ndbs/%E6%97%FF\nfri, 02 jan 2026 03:04:05 gmt\n\n'"),
            std::string::npos)
      << refused.status().message();
}

TEST_F(AuthTest, RefusesWhatIsNotTheSignature) {
  std::string damaged = good_;
  damaged[30] = damaged[30] == 'x' ? 'y' : 'x';
  EXPECT_EQ(CheckCode(damaged), Code::kUnauthenticated);
  EXPECT_EQ(CheckCode(""), Code::kUnauthenticated);
  EXPECT_EQ(CheckCode("type%3dmaster%26ver%3d1.0%26sig%3"), Code::kUnauthenticated);
  EXPECT_EQ(CheckCode("type=master&ver=1.0&sig="), Code::kUnauthenticated);
  EXPECT_EQ(CheckCode("type=master&ver=2.0&sig=dSLMkWFIHCit4QGySKmxhkjJ9a+bdAS2yblq6xQXGBg="), Code::kUnauthenticated);
  EXPECT_EQ(CheckCode("type=aad&ver=1.0&sig=token"), Code::kUnauthenticated);
  EXPECT_EQ(CheckCode("type=resource&ver=1&sig=token"), Code::kUnauthenticated);
  EXPECT_EQ(CheckCode(std::string(100'000, '%')), Code::kUnauthenticated);
  EXPECT_EQ(
      auth_.Check({"POST", kParts.resource_type, kParts.resource_link}, good_, kDate, {}, kDateMs).status().code(),
      Code::kUnauthenticated);
}

TEST_F(AuthTest, AllowsFifteenMinutesOfSkew) {
  constexpr int64_t kSkewMs = 15 * 60 * 1000;
  EXPECT_EQ(CheckCode(good_, kDate, kDateMs + kSkewMs), Code::kOk);
  EXPECT_EQ(CheckCode(good_, kDate, kDateMs - kSkewMs), Code::kOk);
  EXPECT_EQ(CheckCode(good_, kDate, kDateMs + kSkewMs + 1), Code::kForbidden);
  EXPECT_EQ(CheckCode(good_, kDate, kDateMs - kSkewMs - 1), Code::kForbidden);
}

TEST_F(AuthTest, NeedsADate) {
  EXPECT_EQ(CheckCode(good_, ""), Code::kUnauthenticated);
  EXPECT_EQ(CheckCode(good_, "2026-01-02T03:04:05Z"), Code::kUnauthenticated);
}

TEST_F(AuthTest, RefusesKeysThatAreNotBase64) {
  EXPECT_FALSE(Authenticator::Create("not base64!", "").ok());
  EXPECT_FALSE(Authenticator::Create("", "").ok());
  EXPECT_FALSE(Authenticator::Create(kEmulatorKey, "?").ok());
}

}  // namespace
}  // namespace lapse::api::cosmos
