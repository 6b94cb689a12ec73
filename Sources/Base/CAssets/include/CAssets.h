// Files that the programs contain, so that each program stays one file: scripts, style sheets, pages, built-in policies
// and tables.
// A file is in the folder of the module that uses it. To add one: its declaration here, and its two lines in assets.c.

#ifndef CASSETS_H
#define CASSETS_H

#include <stddef.h>

// The bytes of a file, which live as long as the process.
typedef struct {
    const unsigned char *bytes;
    size_t count;
} CAsset;

// What stands around the `#embed` of a file.
#define BEGIN_ASSET(name) static const unsigned char name[] = {
#define END_ASSET(name) \
    }; \
    CAsset asset_##name(void) { return (CAsset){name, sizeof name}; }

// Sources/Tools/Viewer
CAsset asset_viewer_page(void);
CAsset asset_viewer_page_style(void);
CAsset asset_viewer_records(void);
CAsset asset_viewer_records_style(void);
CAsset asset_viewer_report(void);
CAsset asset_viewer_trace(void);
CAsset asset_viewer_findings(void);

// mock-server/Sources/Inspector
CAsset asset_inspector_page(void);
CAsset asset_inspector_style(void);
CAsset asset_inspector_script(void);

// Sources/Authority/MockAuthority/Pages/Files
CAsset asset_hosted_page_script(void);
CAsset asset_hosted_page_disarm(void);
CAsset asset_hosted_page_error(void);
CAsset asset_hosted_page_style(void);

// Sources/Authority/TrustFramework/UserFlows/Files
CAsset asset_harness_base(void);
CAsset asset_harness_texts(void);
CAsset asset_harness_captcha(void);
CAsset asset_countries(void);

// Sources/Base/JOSE/Files
CAsset asset_test_keys(void);

// Sources/Authority/B2CProtocol/Errors/Files
CAsset asset_b2c_errors(void);

// Sources/Authority/ExtensionCalls/Files
CAsset asset_extension_calls(void);

// Sources/Scripts/Clients/Errors/Files
CAsset asset_failures(void);
CAsset asset_msal_internal_errors(void);

// Sources/Tools/Diagnosis/Causes/Files
CAsset asset_causes(void);
CAsset asset_library_codes(void);
CAsset asset_message_codes(void);

// Sources/Tools/Diagnosis/Reading/Files
CAsset asset_traits(void);
CAsset asset_libraries(void);

// Sources/Tools/PolicyMigration/Files
CAsset asset_migration(void);
CAsset asset_extension_events(void);

#endif
