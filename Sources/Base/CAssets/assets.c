// C, because Swift's compiler takes half a minute for an array of 100 KB, and `#embed` takes none.

#include "CAssets.h"

#define BEGIN(name) static const unsigned char name[] = {
#define END(name) \
    }; \
    CAsset asset_##name(void) { return (CAsset){name, sizeof name}; }

BEGIN(viewer_page)
#embed "../../Tools/Viewer/viewer.html"
END(viewer_page)

BEGIN(viewer_page_style)
#embed "../../Tools/Viewer/page.css"
END(viewer_page_style)

BEGIN(viewer_records)
#embed "../../Tools/Viewer/records.js"
END(viewer_records)

BEGIN(viewer_records_style)
#embed "../../Tools/Viewer/records.css"
END(viewer_records_style)

BEGIN(viewer_report)
#embed "../../Tools/Viewer/report.js"
END(viewer_report)

BEGIN(viewer_trace)
#embed "../../Tools/Viewer/trace.js"
END(viewer_trace)

BEGIN(viewer_findings)
#embed "../../Tools/Viewer/findings.js"
END(viewer_findings)

BEGIN(recipes)
#embed "../../../docs/recipes.md"
END(recipes)

BEGIN(scripts)
#embed "../../Tools/Diagnosis/Search/Files/scripts.tsv"
END(scripts)

BEGIN(synonyms)
#embed "../../Tools/Diagnosis/Search/Files/synonyms.txt"
END(synonyms)

BEGIN(inspector_page)
#embed "../../../mock-server/Sources/Inspector/inspector.html"
END(inspector_page)

BEGIN(inspector_style)
#embed "../../../mock-server/Sources/Inspector/inspector.css"
END(inspector_style)

BEGIN(inspector_script)
#embed "../../../mock-server/Sources/Inspector/inspector.js"
END(inspector_script)

BEGIN(hosted_page_script)
#embed "../../Authority/MockAuthority/Pages/Files/page.js"
END(hosted_page_script)

BEGIN(hosted_page_disarm)
#embed "../../Authority/MockAuthority/Pages/Files/disarm.js"
END(hosted_page_disarm)

BEGIN(hosted_page_error)
#embed "../../Authority/MockAuthority/Pages/Files/error.js"
END(hosted_page_error)

BEGIN(hosted_page_style)
#embed "../../Authority/MockAuthority/Pages/Files/page.css"
END(hosted_page_style)

BEGIN(harness_base)
#embed "../../Authority/TrustFramework/UserFlows/Files/HarnessBase.xml"
END(harness_base)

BEGIN(harness_texts)
#embed "../../Authority/TrustFramework/UserFlows/Files/HarnessTexts.xml"
END(harness_texts)

BEGIN(harness_captcha)
#embed "../../Authority/TrustFramework/UserFlows/Files/HarnessCaptcha.xml"
END(harness_captcha)

BEGIN(countries)
#embed "../../Authority/TrustFramework/UserFlows/Files/countries.txt"
END(countries)

BEGIN(test_keys)
#embed "../JOSE/Files/test-keys.pem"
END(test_keys)

BEGIN(b2c_errors)
#embed "../../Authority/B2CProtocol/Errors/Files/b2c-errors.json"
END(b2c_errors)

BEGIN(failures)
#embed "../../Scripts/Clients/Errors/Files/failures.json"
END(failures)

BEGIN(msal_internal_errors)
#embed "../../Scripts/Clients/Errors/Files/msal-internal-errors.json"
END(msal_internal_errors)

BEGIN(causes)
#embed "../../Tools/Diagnosis/Causes/Files/causes.json"
END(causes)

BEGIN(library_codes)
#embed "../../Tools/Diagnosis/Causes/Files/library-codes.json"
END(library_codes)

BEGIN(message_codes)
#embed "../../Tools/Diagnosis/Causes/Files/message-codes.json"
END(message_codes)

BEGIN(traits)
#embed "../../Tools/Diagnosis/Reading/Files/traits.json"
END(traits)

BEGIN(libraries)
#embed "../../Tools/Diagnosis/Reading/Files/libraries.json"
END(libraries)

BEGIN(migration)
#embed "../../Tools/PolicyMigration/Files/migration.json"
END(migration)

BEGIN(extension_events)
#embed "../../Tools/PolicyMigration/Files/extension-events.json"
END(extension_events)
BEGIN(docs_agents)
#embed "../../../docs/agents.md"
END(docs_agents)

BEGIN(docs_custom_policies)
#embed "../../../docs/custom-policies.md"
END(docs_custom_policies)

BEGIN(docs_explain)
#embed "../../../docs/explain.md"
END(docs_explain)

BEGIN(docs_explore)
#embed "../../../docs/explore.md"
END(docs_explore)

BEGIN(docs_policy_rules)
#embed "../../../docs/policy-rules.md"
END(docs_policy_rules)

BEGIN(docs_release_policies)
#embed "../../../docs/release-policies.md"
END(docs_release_policies)

BEGIN(docs_scenario_checks)
#embed "../../../docs/scenario-checks.md"
END(docs_scenario_checks)

BEGIN(docs_scenario_files)
#embed "../../../docs/scenario-files.md"
END(docs_scenario_files)

BEGIN(docs_tenant_files)
#embed "../../../docs/tenant-files.md"
END(docs_tenant_files)
