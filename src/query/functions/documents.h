// Functions of whole documents and of vectors.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (document): its number, unique in its partition; undefined for what is no stored document
extern const Function kDocumentId;
// (value [, modulus]): a number of 32 bits that the same values share, in every query and for ever
extern const Function kHash;
// (vector, vector [, brute force [, options]]): how similar two arrays of numbers of one length are, computed exactly.
// The option `distanceFunction` is `cosine` (as without options), `dotproduct` or `euclidean`.
extern const Function kVectorDistance;

}  // namespace lapse::query::functions
