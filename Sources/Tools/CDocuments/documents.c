#include "CDocuments.h"

BEGIN_ASSET(recipes)
#embed "../../../docs/recipes.md"
END_ASSET(recipes)

BEGIN_ASSET(scripts)
#embed "../Diagnosis/Search/Files/scripts.tsv"
END_ASSET(scripts)

BEGIN_ASSET(synonyms)
#embed "../Diagnosis/Search/Files/synonyms.txt"
END_ASSET(synonyms)

BEGIN_ASSET(docs_agents)
#embed "../../../docs/agents.md"
END_ASSET(docs_agents)

BEGIN_ASSET(docs_custom_policies)
#embed "../../../docs/custom-policies.md"
END_ASSET(docs_custom_policies)

BEGIN_ASSET(docs_explain)
#embed "../../../docs/explain.md"
END_ASSET(docs_explain)

BEGIN_ASSET(docs_explore)
#embed "../../../docs/explore.md"
END_ASSET(docs_explore)

BEGIN_ASSET(docs_policy_rules)
#embed "../../../docs/policy-rules.md"
END_ASSET(docs_policy_rules)

BEGIN_ASSET(docs_release_policies)
#embed "../../../docs/release-policies.md"
END_ASSET(docs_release_policies)

BEGIN_ASSET(docs_scenario_checks)
#embed "../../../docs/scenario-checks.md"
END_ASSET(docs_scenario_checks)

BEGIN_ASSET(docs_scenario_files)
#embed "../../../docs/scenario-files.md"
END_ASSET(docs_scenario_files)

BEGIN_ASSET(docs_tenant_files)
#embed "../../../docs/tenant-files.md"
END_ASSET(docs_tenant_files)
