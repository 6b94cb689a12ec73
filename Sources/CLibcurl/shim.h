// libcurl for Swift. Swift cannot call C functions with variable arguments, and libcurl sets and reads everything
// through such functions, so each wrapper below gives one of them a fixed list of arguments. They hold no logic.

#ifndef B2C_CLIBCURL_SHIM_H
#define B2C_CLIBCURL_SHIM_H

#include <curl/curl.h>
#include <stddef.h>

/// What libcurl calls with the bytes it received, for the body and for each header line.
typedef size_t (*b2c_curl_sink)(char *bytes, size_t size, size_t count, void *receiver);

/// curl_easy_setopt for options that take a `long`: numbers and switches.
static inline CURLcode b2c_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for options that take a string, which libcurl copies. NULL puts the default back.
static inline CURLcode b2c_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for options that take a pointer libcurl hands back or writes to (WRITEDATA, ERRORBUFFER).
static inline CURLcode b2c_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for options that take a list. libcurl does not copy it: it must live as long as the transfer.
static inline CURLcode b2c_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for options that take a `curl_off_t`: sizes that may pass 2 GB.
static inline CURLcode b2c_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for the two callbacks that take received bytes (WRITEFUNCTION, HEADERFUNCTION).
static inline CURLcode b2c_curl_set_sink(CURL *handle, CURLoption option, b2c_curl_sink value) {
    return curl_easy_setopt(handle, option, value);
}

/// The request body, copied by libcurl. The size has to be set first, else libcurl looks for a terminating zero.
static inline CURLcode b2c_curl_set_body(CURL *handle, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

/// Certificates from memory in PEM, copied by libcurl. `struct curl_blob` takes a pointer without `const`, which Swift
/// has none of for bytes it only lends.
static inline CURLcode b2c_curl_set_authorities(CURL *handle, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(handle, CURLOPT_CAINFO_BLOB, &blob);
}

/// curl_easy_getinfo for values that are a `long`.
static inline CURLcode b2c_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

/// curl_multi_setopt for options that take a `long`.
static inline CURLMcode b2c_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// curl_multi_info_read without its union, which Swift would read through an unsafe pointer. Returns the easy handle
/// of a finished transfer and its result, or NULL when there is no more to tell.
static inline CURL *b2c_curl_multi_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

/// curl_global_init with the flags Swift imports under another type.
static inline CURLcode b2c_curl_start(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

/// The HTTP versions, members of an enum without a name, which Swift imports as plain numbers of another width.
static inline long b2c_curl_http_1_1(void) { return CURL_HTTP_VERSION_1_1; }
static inline long b2c_curl_http_2_over_tls(void) { return CURL_HTTP_VERSION_2TLS; }

#endif
