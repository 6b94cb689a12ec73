// Files that the programs contain, so that each program stays one file: scripts, style sheets, pages and built-in policies.
// A file is in the folder of the module that uses it. To add one: its declaration here, and its two lines in assets.c.

#ifndef CASSETS_H
#define CASSETS_H

#include <stddef.h>

// The bytes of a file, which live as long as the process.
typedef struct {
    const unsigned char *bytes;
    size_t count;
} CAsset;

// Sources/Viewer
CAsset asset_viewer_page(void);
CAsset asset_viewer_page_style(void);
CAsset asset_viewer_records(void);
CAsset asset_viewer_records_style(void);
CAsset asset_viewer_report(void);
CAsset asset_viewer_trace(void);

// mock-server/Sources/Inspector
CAsset asset_inspector_page(void);
CAsset asset_inspector_style(void);
CAsset asset_inspector_script(void);

// Sources/MockAuthority/Pages/Files
CAsset asset_hosted_page_script(void);
CAsset asset_hosted_page_disarm(void);
CAsset asset_hosted_page_error(void);
CAsset asset_hosted_page_style(void);

// Sources/TrustFramework/UserFlows/Files
CAsset asset_harness_base(void);
CAsset asset_harness_texts(void);
CAsset asset_harness_captcha(void);
CAsset asset_countries(void);

#endif
