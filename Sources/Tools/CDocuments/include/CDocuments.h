// Documents and recipes that the programs contain. Apart from CAssets, so that a change of a document compiles what reads
// documents, and not every module again.

#ifndef CDOCUMENTS_H
#define CDOCUMENTS_H

#include "CAssets.h"

CAsset asset_recipes(void);
CAsset asset_scripts(void);
CAsset asset_synonyms(void);
CAsset asset_docs_agents(void);
CAsset asset_docs_custom_policies(void);
CAsset asset_docs_explain(void);
CAsset asset_docs_explore(void);
CAsset asset_docs_policy_rules(void);
CAsset asset_docs_release_policies(void);
CAsset asset_docs_scenario_checks(void);
CAsset asset_docs_scenario_files(void);
CAsset asset_docs_tenant_files(void);

#endif
