// C, because Swift's compiler takes half a minute for an array of 100 KB, and `#embed` takes none.

#include "CAssets.h"

BEGIN_ASSET(viewer_page)
#embed "../../Tools/Viewer/viewer.html"
END_ASSET(viewer_page)

BEGIN_ASSET(viewer_page_style)
#embed "../../Tools/Viewer/page.css"
END_ASSET(viewer_page_style)

BEGIN_ASSET(viewer_records)
#embed "../../Tools/Viewer/records.js"
END_ASSET(viewer_records)

BEGIN_ASSET(viewer_records_style)
#embed "../../Tools/Viewer/records.css"
END_ASSET(viewer_records_style)

BEGIN_ASSET(viewer_report)
#embed "../../Tools/Viewer/report.js"
END_ASSET(viewer_report)

BEGIN_ASSET(viewer_trace)
#embed "../../Tools/Viewer/trace.js"
END_ASSET(viewer_trace)

BEGIN_ASSET(viewer_findings)
#embed "../../Tools/Viewer/findings.js"
END_ASSET(viewer_findings)

BEGIN_ASSET(inspector_page)
#embed "../../../mock-server/Sources/Inspector/inspector.html"
END_ASSET(inspector_page)

BEGIN_ASSET(inspector_style)
#embed "../../../mock-server/Sources/Inspector/inspector.css"
END_ASSET(inspector_style)

BEGIN_ASSET(inspector_script)
#embed "../../../mock-server/Sources/Inspector/inspector.js"
END_ASSET(inspector_script)

BEGIN_ASSET(hosted_page_script)
#embed "../../Authority/MockAuthority/Pages/Files/page.js"
END_ASSET(hosted_page_script)

BEGIN_ASSET(hosted_page_disarm)
#embed "../../Authority/MockAuthority/Pages/Files/disarm.js"
END_ASSET(hosted_page_disarm)

BEGIN_ASSET(hosted_page_error)
#embed "../../Authority/MockAuthority/Pages/Files/error.js"
END_ASSET(hosted_page_error)

BEGIN_ASSET(hosted_page_style)
#embed "../../Authority/MockAuthority/Pages/Files/page.css"
END_ASSET(hosted_page_style)

BEGIN_ASSET(harness_base)
#embed "../../Authority/TrustFramework/UserFlows/Files/HarnessBase.xml"
END_ASSET(harness_base)

BEGIN_ASSET(harness_texts)
#embed "../../Authority/TrustFramework/UserFlows/Files/HarnessTexts.xml"
END_ASSET(harness_texts)

BEGIN_ASSET(harness_captcha)
#embed "../../Authority/TrustFramework/UserFlows/Files/HarnessCaptcha.xml"
END_ASSET(harness_captcha)

BEGIN_ASSET(countries)
#embed "../../Authority/TrustFramework/UserFlows/Files/countries.txt"
END_ASSET(countries)

BEGIN_ASSET(test_keys)
#embed "../JOSE/Files/test-keys.pem"
END_ASSET(test_keys)

BEGIN_ASSET(b2c_errors)
#embed "../../Authority/B2CProtocol/Errors/Files/b2c-errors.json"
END_ASSET(b2c_errors)

BEGIN_ASSET(failures)
#embed "../../Scripts/Clients/Errors/Files/failures.json"
END_ASSET(failures)

BEGIN_ASSET(msal_internal_errors)
#embed "../../Scripts/Clients/Errors/Files/msal-internal-errors.json"
END_ASSET(msal_internal_errors)

BEGIN_ASSET(causes)
#embed "../../Tools/Diagnosis/Causes/Files/causes.json"
END_ASSET(causes)

BEGIN_ASSET(library_codes)
#embed "../../Tools/Diagnosis/Causes/Files/library-codes.json"
END_ASSET(library_codes)

BEGIN_ASSET(message_codes)
#embed "../../Tools/Diagnosis/Causes/Files/message-codes.json"
END_ASSET(message_codes)

BEGIN_ASSET(traits)
#embed "../../Tools/Diagnosis/Reading/Files/traits.json"
END_ASSET(traits)

BEGIN_ASSET(libraries)
#embed "../../Tools/Diagnosis/Reading/Files/libraries.json"
END_ASSET(libraries)

BEGIN_ASSET(migration)
#embed "../../Tools/PolicyMigration/Files/migration.json"
END_ASSET(migration)

BEGIN_ASSET(extension_events)
#embed "../../Tools/PolicyMigration/Files/extension-events.json"
END_ASSET(extension_events)

BEGIN_ASSET(extension_calls)
#embed "../../Authority/ExtensionCalls/Files/extension-calls.json"
END_ASSET(extension_calls)
