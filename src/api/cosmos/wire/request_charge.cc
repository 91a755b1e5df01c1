#include "api/cosmos/wire/request_charge.h"

namespace lapse::api::cosmos {

void AppendCharge(int64_t milli_ru, std::string* out) {
  out->append(std::to_string(milli_ru / 1000));
  const int64_t hundredths = milli_ru % 1000 / 10;
  if (hundredths == 0) return;
  out->push_back('.');
  out->push_back(static_cast<char>('0' + hundredths / 10));
  if (hundredths % 10 != 0) out->push_back(static_cast<char>('0' + hundredths % 10));
}

}  // namespace lapse::api::cosmos
