#pragma once
// RFC 3161 by libcrypto. Its lists and options are macros, which Swift does not see, so that a reply
// is read and checked here.
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ts.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <string.h>

// What a reply came to.
enum {
    ledger_stampIsRead = 0,
    ledger_stampIsNone = 1,
    ledger_stampIsRefused = 2,
    ledger_stampIsOfOtherHash = 3,
};

enum { ledger_stampTextBytes = 256, ledger_stampNonceBytes = 32, ledger_stampImprintBytes = 32 };

// Returns the reply in `bytes`, which the caller frees, if it is one and nothing follows it.
static inline TS_RESP *ledger_stampReply(const uint8_t *bytes, long count) {
    const unsigned char *end = bytes;
    TS_RESP *reply = d2i_TS_RESP(NULL, &end, count);
    ERR_clear_error();
    if (reply != NULL && end == bytes + count) return reply;
    TS_RESP_free(reply);
    return NULL;
}

// Returns the seconds from 1970 to a time, or a negative number if it is none.
static inline int64_t ledger_stampSeconds(const ASN1_GENERALIZEDTIME *time) {
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int days = 0, seconds = 0;
    int isTime = epoch != NULL && ASN1_TIME_diff(&days, &seconds, epoch, time);
    ASN1_TIME_free(epoch);
    return isTime ? (int64_t)days * 86400 + seconds : -1;
}

// Reads what a reply says, without checking any of it. Texts have room for
// `ledger_stampTextBytes`, and end with a zero.
static inline int ledger_readStamp(
    const uint8_t *bytes, long count, int64_t *time, uint8_t *imprint, uint8_t *nonce,
    int *nonceCount, char *policy, char *authority
) {
    TS_RESP *reply = ledger_stampReply(bytes, count);
    if (reply == NULL) return ledger_stampIsNone;
    TS_TST_INFO *info = TS_RESP_get_tst_info(reply);
    int outcome = ledger_stampIsNone;
    long status = ASN1_INTEGER_get(TS_STATUS_INFO_get0_status(TS_RESP_get_status_info(reply)));
    if (status != 0 && status != 1) {
        outcome = ledger_stampIsRefused;
    } else if (info != NULL) {
        TS_MSG_IMPRINT *message = TS_TST_INFO_get_msg_imprint(info);
        const ASN1_OBJECT *hash = NULL;
        X509_ALGOR_get0(&hash, NULL, NULL, TS_MSG_IMPRINT_get_algo(message));
        ASN1_OCTET_STRING *digest = TS_MSG_IMPRINT_get_msg(message);
        *time = ledger_stampSeconds(TS_TST_INFO_get_time(info));
        OBJ_obj2txt(policy, ledger_stampTextBytes, TS_TST_INFO_get_policy_id(info), 1);
        *nonceCount = 0;
        if (TS_TST_INFO_get_nonce(info) != NULL) {
            BIGNUM *number = ASN1_INTEGER_to_BN(TS_TST_INFO_get_nonce(info), NULL);
            if (number != NULL && BN_num_bytes(number) <= ledger_stampNonceBytes) {
                *nonceCount = BN_bn2bin(number, nonce);
            }
            BN_free(number);
        }
        STACK_OF(X509) *signers = PKCS7_get0_signers(TS_RESP_get_token(reply), NULL, 0);
        authority[0] = 0;
        if (signers != NULL && sk_X509_num(signers) > 0) {
            X509_NAME *subject = X509_get_subject_name(sk_X509_value(signers, 0));
            X509_NAME_get_text_by_NID(
                subject, NID_commonName, authority, ledger_stampTextBytes
            );
        }
        sk_X509_free(signers);
        outcome = ledger_stampIsOfOtherHash;
        if (OBJ_obj2nid(hash) == NID_sha256
            && ASN1_STRING_length(digest) == ledger_stampImprintBytes && *time >= 0) {
            memcpy(imprint, ASN1_STRING_get0_data(digest), ledger_stampImprintBytes);
            outcome = ledger_stampIsRead;
        }
    }
    ERR_clear_error();
    TS_RESP_free(reply);
    return outcome;
}

// Adds every certificate of a PEM text to a store, and returns how many there are.
static inline int ledger_trustCertificates(X509_STORE *store, const uint8_t *pem, int count) {
    int trusted = 0;
    BIO *input = BIO_new_mem_buf(pem, count);
    X509 *certificate;
    while (input != NULL && (certificate = PEM_read_bio_X509(input, NULL, NULL, NULL)) != NULL) {
        trusted += X509_STORE_add_cert(store, certificate);
        X509_free(certificate);
    }
    BIO_free(input);
    ERR_clear_error();
    return trusted;
}

// Returns how many certificates a PEM text has.
static inline int ledger_countCertificates(const uint8_t *pem, int count) {
    X509_STORE *store = X509_STORE_new();
    int found = store != NULL ? ledger_trustCertificates(store, pem, count) : 0;
    X509_STORE_free(store);
    return found;
}

// Copies the reason why libcrypto has refused a reply: that about its certificate if there is one,
// else the first. Returns whether that reason is that its certificate leads to no trusted one.
static inline int ledger_copyReason(char *reason) {
    const int ofCertificate[] = {
        X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_INVALID_PURPOSE
    };
    int isUntrusted = 0;
    for (int index = 0; !isUntrusted; index++) {
        const char *data = NULL;
        int flags = 0;
        unsigned long code = ERR_get_error_all(NULL, NULL, NULL, &data, &flags);
        if (code == 0 && index > 0) break;
        isUntrusted = ERR_GET_LIB(code) == ERR_LIB_TS
            && ERR_GET_REASON(code) == TS_R_CERTIFICATE_VERIFY_ERROR;
        if (index > 0 && !isUntrusted) continue;
        const char *text = ERR_reason_error_string(code);
        int hasData = (flags & ERR_TXT_STRING) != 0 && data != NULL && data[0] != 0;
        BIO_snprintf(
            reason, ledger_stampTextBytes, "%s%s%s", text != NULL ? text : "unknown reason",
            hasData ? ": " : "", hasData ? data : ""
        );
    }
    ERR_clear_error();
    for (size_t index = 0; index < sizeof ofCertificate / sizeof *ofCertificate; index++) {
        const char *text = X509_verify_cert_error_string(ofCertificate[index]);
        if (strstr(reason, text) != NULL) isUntrusted = 0;
    }
    return isUntrusted;
}

// Returns whether a reply is signed by the key of the certificate in it, whoever vouches for that.
static inline int ledger_isSignedStamp(TS_RESP *reply) {
    PKCS7 *token = TS_RESP_get_token(reply);
    return PKCS7_verify(token, NULL, NULL, NULL, NULL, PKCS7_NOVERIFY) == 1;
}

// What a check of a reply came to.
enum { ledger_stampIsInvalid = 0, ledger_stampIsValid = 1, ledger_stampIsOfStranger = 2 };

// Checks that a reply is a stamp over a digest that an authority signed whose certificate leads to
// one in `pem`, and was valid at the stamp's time; if not, `reason` says why. A stranger's is right
// in all but that its certificate leads to none of these.
static inline int ledger_checkStamp(
    const uint8_t *bytes, long count, const uint8_t *digest, const uint8_t *pem, int pemCount,
    int64_t time, char *reason
) {
    int outcome = ledger_stampIsInvalid;
    TS_RESP *reply = ledger_stampReply(bytes, count);
    X509_STORE *store = X509_STORE_new();
    TS_VERIFY_CTX *context = TS_VERIFY_CTX_new();
    unsigned char *imprint = OPENSSL_memdup(digest, ledger_stampImprintBytes);
    BIO_snprintf(reason, ledger_stampTextBytes, "it cannot be read");
    if (reply != NULL && store != NULL && context != NULL && imprint != NULL) {
        if (ledger_trustCertificates(store, pem, pemCount) == 0) {
            BIO_snprintf(reason, ledger_stampTextBytes, "no certificate is trusted");
        } else {
            X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), (time_t)time);
            // The context owns both from here on.
            TS_VERIFY_CTX_set_store(context, store);
            TS_VERIFY_CTX_set_imprint(context, imprint, ledger_stampImprintBytes);
            store = NULL;
            imprint = NULL;
            TS_VERIFY_CTX_set_flags(context, TS_VFY_SIGNATURE | TS_VFY_VERSION | TS_VFY_IMPRINT);
            if (TS_RESP_verify_response(context, reply) == 1) {
                outcome = ledger_stampIsValid;
            } else if (ledger_copyReason(reason)) {
                if (ledger_isSignedStamp(reply)) {
                    outcome = ledger_stampIsOfStranger;
                } else {
                    ledger_copyReason(reason);
                }
            }
        }
    }
    OPENSSL_free(imprint);
    TS_VERIFY_CTX_free(context);
    X509_STORE_free(store);
    TS_RESP_free(reply);
    ERR_clear_error();
    return outcome;
}
