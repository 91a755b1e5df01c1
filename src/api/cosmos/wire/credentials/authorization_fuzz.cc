// Checks that any header is either refused or understood, and that no bytes pass as a token unless this process signed
// them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "api/cosmos/wire/credentials/authorization_header.h"
#include "api/cosmos/wire/credentials/resource_token.h"

namespace lapse::api::cosmos {
namespace {

void Check(std::string_view bytes) {
  static const TokenSigner* const signer = new TokenSigner("a secret that no input knows");
  AuthorizationHeader header;
  if (header.Parse(bytes).ok() && header.proof().size() > kTokenHeaderBytesMax) std::abort();
  if (signer->Verify(bytes).ok() || signer->Verify(header.proof()).ok()) std::abort();
}

}  // namespace
}  // namespace lapse::api::cosmos

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  lapse::api::cosmos::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
