#include "api/cosmos/wire/credentials/resource_token.h"

#include <gtest/gtest.h>

#include <string>

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kPrefix = "type=resource&ver=1.0&sig=";

TokenClaims SomeClaims() {
  TokenClaims claims;
  claims.permission = 7;
  claims.container = 9;
  claims.start_s = 1'750'000'000;
  claims.expiry_s = 1'750'003'600;
  claims.mode = GrantMode::kAll;
  claims.grant.fill('g');
  return claims;
}

std::string ProofOf(const TokenSigner& signer, const TokenClaims& claims) {
  return signer.Issue(claims).substr(kPrefix.size());
}

TEST(ResourceTokenTest, SaysWhatItWasIssuedFor) {
  const TokenSigner signer("a secret");
  const std::string token = signer.Issue(SomeClaims());
  EXPECT_TRUE(token.starts_with(kPrefix));
  EXPECT_EQ(token.find_first_of(", \t\"+/"), std::string::npos);
  EXPECT_EQ(token.size(), kPrefix.size() + 99);
  Result<TokenClaims> claims = signer.Verify(ProofOf(signer, SomeClaims()));
  ASSERT_TRUE(claims.ok());
  EXPECT_EQ(*claims, SomeClaims());
}

TEST(ResourceTokenTest, EveryChangedLetterIsRefused) {
  const TokenSigner signer("a secret");
  const std::string proof = ProofOf(signer, SomeClaims());
  for (size_t at = 0; at < proof.size(); ++at) {
    for (char other : {'A', 'B', 'z', '-', '=', '\0'}) {
      if (proof[at] == other) continue;
      std::string changed = proof;
      changed[at] = other;
      EXPECT_EQ(signer.Verify(changed).status().code(), Code::kUnauthenticated) << at << other;
    }
  }
}

TEST(ResourceTokenTest, AnotherLengthOrSecretIsRefused) {
  const TokenSigner signer("a secret");
  const std::string proof = ProofOf(signer, SomeClaims());
  for (size_t size = 0; size < proof.size(); ++size) EXPECT_FALSE(signer.Verify(proof.substr(0, size)).ok()) << size;
  EXPECT_FALSE(signer.Verify(proof + "A").ok());
  EXPECT_FALSE(signer.Verify(proof + "=").ok());
  EXPECT_FALSE(signer.Verify(std::string(8000, 'A')).ok());
  EXPECT_FALSE(TokenSigner("another").Verify(proof).ok());
}

TEST(ResourceTokenTest, SecretsDiffer) {
  const std::string one = *TokenSigner::MakeSecret();
  EXPECT_EQ(one.size(), 32U);
  EXPECT_NE(one, *TokenSigner::MakeSecret());
}

}  // namespace
}  // namespace lapse::api::cosmos
