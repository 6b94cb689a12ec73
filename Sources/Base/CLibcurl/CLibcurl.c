// For RTLD_DEFAULT of glibc.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CLibcurl.h"

#include <dlfcn.h>

#ifdef __APPLE__
#define B2C_CURL_LIBRARY "/usr/lib/libcurl.4.dylib"
#else
#define B2C_CURL_LIBRARY "libcurl.so.4"
#endif

struct b2c_curl_functions b2c_curl;

const char *b2c_curl_load(void) {
    // A package may link the program with a libcurl of its own, under another file name.
    void *library = RTLD_DEFAULT;
    if (!dlsym(library, "curl_multi_poll")) {
        library = dlopen(B2C_CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
        if (!library) { return dlerror(); }
    }
#define B2C_CURL_FIND(function) \
    b2c_curl.function = (__typeof__(function) *)dlsym(library, #function); \
    if (!b2c_curl.function) { return B2C_CURL_LIBRARY " is too old: it has no " #function; }
    B2C_CURL_FUNCTIONS(B2C_CURL_FIND)
    CURLcode code = b2c_curl.curl_global_init(CURL_GLOBAL_DEFAULT);
    return code == CURLE_OK ? NULL : b2c_curl.curl_easy_strerror(code);
}
