// C, because Swift's compiler takes half a minute for an array of 100 KB, and `#embed` takes none.

#include "CAssets.h"

#define BEGIN(name) static const unsigned char name[] = {
#define END(name) \
    }; \
    CAsset asset_##name(void) { return (CAsset){name, sizeof name}; }

BEGIN(viewer_page)
#embed "../Viewer/viewer.html"
END(viewer_page)

BEGIN(viewer_page_style)
#embed "../Viewer/page.css"
END(viewer_page_style)

BEGIN(viewer_records)
#embed "../Viewer/records.js"
END(viewer_records)

BEGIN(viewer_records_style)
#embed "../Viewer/records.css"
END(viewer_records_style)

BEGIN(viewer_report)
#embed "../Viewer/report.js"
END(viewer_report)

BEGIN(viewer_trace)
#embed "../Viewer/trace.js"
END(viewer_trace)

BEGIN(inspector_page)
#embed "../../mock-server/Sources/Inspector/inspector.html"
END(inspector_page)

BEGIN(inspector_style)
#embed "../../mock-server/Sources/Inspector/inspector.css"
END(inspector_style)

BEGIN(inspector_script)
#embed "../../mock-server/Sources/Inspector/inspector.js"
END(inspector_script)

BEGIN(hosted_page_script)
#embed "../MockAuthority/Pages/Files/page.js"
END(hosted_page_script)

BEGIN(hosted_page_disarm)
#embed "../MockAuthority/Pages/Files/disarm.js"
END(hosted_page_disarm)

BEGIN(hosted_page_error)
#embed "../MockAuthority/Pages/Files/error.js"
END(hosted_page_error)

BEGIN(hosted_page_style)
#embed "../MockAuthority/Pages/Files/page.css"
END(hosted_page_style)

BEGIN(harness_base)
#embed "../TrustFramework/UserFlows/Files/HarnessBase.xml"
END(harness_base)

BEGIN(harness_texts)
#embed "../TrustFramework/UserFlows/Files/HarnessTexts.xml"
END(harness_texts)

BEGIN(harness_captcha)
#embed "../TrustFramework/UserFlows/Files/HarnessCaptcha.xml"
END(harness_captcha)

BEGIN(countries)
#embed "../TrustFramework/UserFlows/Files/countries.txt"
END(countries)
