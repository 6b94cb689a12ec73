// libcurl for Swift, loaded by the first request over the network: libcurl brings thirty other libraries, and most runs
// of the programs need none of them.
//
// Swift cannot call C functions with variable arguments, and libcurl sets and reads everything through such functions, so
// each wrapper below gives one of them a fixed list of arguments. They hold no logic.

#ifndef B2C_CLIBCURL_H
#define B2C_CLIBCURL_H

#if !__has_include(<curl/curl.h>)
#error "libcurl's header is not installed: apt-get install libcurl4-openssl-dev, or brew install curl"
#endif

#include <curl/curl.h>
#include <stddef.h>

/// The functions of libcurl that the wrappers call.
#define B2C_CURL_FUNCTIONS(each) \
    each(curl_easy_cleanup) \
    each(curl_easy_getinfo) \
    each(curl_easy_init) \
    each(curl_easy_reset) \
    each(curl_easy_setopt) \
    each(curl_easy_strerror) \
    each(curl_global_init) \
    each(curl_multi_add_handle) \
    each(curl_multi_cleanup) \
    each(curl_multi_info_read) \
    each(curl_multi_init) \
    each(curl_multi_perform) \
    each(curl_multi_poll) \
    each(curl_multi_remove_handle) \
    each(curl_multi_setopt) \
    each(curl_multi_wakeup) \
    each(curl_slist_append) \
    each(curl_slist_free_all)

#define B2C_CURL_POINTER(function) __typeof__(function) *function;

/// Their addresses, set by b2c_curl_load.
extern struct b2c_curl_functions {
    B2C_CURL_FUNCTIONS(B2C_CURL_POINTER)
} b2c_curl;

/// Loads and starts libcurl. To be called once, before anything else of this header.
///
/// Returns NULL, or why it cannot be used: a text to copy at once.
const char *b2c_curl_load(void);

/// What libcurl calls with the bytes it received, for the body and for each header line.
typedef size_t (*b2c_curl_sink)(char *bytes, size_t size, size_t count, void *receiver);

/// curl_easy_setopt for options that take a `long`: numbers and switches.
static inline CURLcode b2c_curl_set_long(CURL *handle, CURLoption option, long value) {
    return b2c_curl.curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for options that take a string, which libcurl copies. NULL puts the default back.
static inline CURLcode b2c_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return b2c_curl.curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for options that take a pointer libcurl hands back or writes to (WRITEDATA, ERRORBUFFER).
static inline CURLcode b2c_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return b2c_curl.curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for options that take a list. libcurl does not copy it: it must live as long as the transfer.
static inline CURLcode b2c_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return b2c_curl.curl_easy_setopt(handle, option, value);
}

/// curl_easy_setopt for the two callbacks that take received bytes (WRITEFUNCTION, HEADERFUNCTION).
static inline CURLcode b2c_curl_set_sink(CURL *handle, CURLoption option, b2c_curl_sink value) {
    return b2c_curl.curl_easy_setopt(handle, option, value);
}

/// The request body, copied by libcurl. The size has to be set first, else libcurl looks for a terminating zero.
static inline CURLcode b2c_curl_set_body(CURL *handle, const void *bytes, size_t count) {
    CURLcode code = b2c_curl.curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code == CURLE_OK ? b2c_curl.curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

/// Certificates from memory in PEM, copied by libcurl. `struct curl_blob` takes a pointer without `const`, which Swift
/// has none of for bytes it only lends.
static inline CURLcode b2c_curl_set_authorities(CURL *handle, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return b2c_curl.curl_easy_setopt(handle, CURLOPT_CAINFO_BLOB, &blob);
}

/// curl_easy_getinfo for values that are a `long`.
static inline CURLcode b2c_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return b2c_curl.curl_easy_getinfo(handle, info, value);
}

/// curl_multi_setopt for options that take a `long`.
static inline CURLMcode b2c_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return b2c_curl.curl_multi_setopt(multi, option, value);
}

/// curl_multi_info_read without its union, which Swift would read through an unsafe pointer. Returns the easy handle
/// of a finished transfer and its result, or NULL when there is no more to tell.
static inline CURL *b2c_curl_multi_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = b2c_curl.curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

static inline CURL *b2c_curl_easy_init(void) { return b2c_curl.curl_easy_init(); }
static inline void b2c_curl_easy_cleanup(CURL *handle) { b2c_curl.curl_easy_cleanup(handle); }
static inline void b2c_curl_easy_reset(CURL *handle) { b2c_curl.curl_easy_reset(handle); }
static inline const char *b2c_curl_easy_strerror(CURLcode code) { return b2c_curl.curl_easy_strerror(code); }
static inline CURLM *b2c_curl_multi_init(void) { return b2c_curl.curl_multi_init(); }
static inline void b2c_curl_multi_cleanup(CURLM *multi) { b2c_curl.curl_multi_cleanup(multi); }
static inline CURLMcode b2c_curl_multi_add(CURLM *multi, CURL *handle) {
    return b2c_curl.curl_multi_add_handle(multi, handle);
}
static inline void b2c_curl_multi_remove(CURLM *multi, CURL *handle) {
    b2c_curl.curl_multi_remove_handle(multi, handle);
}
static inline void b2c_curl_multi_perform(CURLM *multi, int *running) { b2c_curl.curl_multi_perform(multi, running); }
static inline void b2c_curl_multi_wait(CURLM *multi, int milliseconds) {
    b2c_curl.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}
static inline void b2c_curl_multi_wakeup(CURLM *multi) { b2c_curl.curl_multi_wakeup(multi); }
static inline struct curl_slist *b2c_curl_list_append(struct curl_slist *list, const char *text) {
    return b2c_curl.curl_slist_append(list, text);
}
static inline void b2c_curl_list_free(struct curl_slist *list) { b2c_curl.curl_slist_free_all(list); }

/// The HTTP versions, members of an enum without a name, which Swift imports as plain numbers of another width.
static inline long b2c_curl_http_1_1(void) { return CURL_HTTP_VERSION_1_1; }
static inline long b2c_curl_http_2_over_tls(void) { return CURL_HTTP_VERSION_2TLS; }

#endif
