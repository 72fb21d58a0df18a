#pragma once
// SHA256_Init/Update/Final are deprecated in OpenSSL 3 but three times faster than a fetched digest
// for short messages; without this line warnings as errors stop the build.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include "stamps.h"
