#pragma once
#include <curl/curl.h>

// Functions with any number of arguments, which Swift does not see.
static inline CURLcode ledger_setNumber(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ledger_setText(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ledger_setFields(CURL *handle, struct curl_slist *fields) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
}
static inline CURLcode ledger_setBody(CURL *handle, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code ? code : curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
}
static inline CURLcode ledger_setReceiver(CURL *handle, curl_write_callback receive, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
    return code ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}
static inline long ledger_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
static inline long ledger_secondsToWait(CURL *handle) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return seconds > 300 ? 300 : (long)seconds;
}
