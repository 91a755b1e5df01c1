// Functions of whole documents and of vectors.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (document): its number, unique in its partition; undefined for anything but a stored document
extern const Function kDocumentId;
// (value [, modulus]): a 32-bit hash. Equal values have equal hashes, in every query and for all time.
extern const Function kHash;
// (vector, vector [, brute force [, options]]): the similarity of two arrays of numbers of equal length, computed
// exactly. The option `distanceFunction` is `cosine` (the default), `dotproduct` or `euclidean`.
extern const Function kVectorDistance;

}  // namespace lapse::query::functions
