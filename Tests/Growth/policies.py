"""Custom policies with many of one thing. Parents are the sample base of this repository and the built-in one."""

import shutil

from cases import ROOT

BASE = ROOT / "scenarios" / "policies" / "Base.xml"
NAMESPACE = "http://schemas.microsoft.com/online/cpim/schemas/2013/06"
TRANSFORMER = "Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null"


def element(name, content, **attributes):
    return f"<{name}" + "".join(f' {key}="{value}"' for key, value in attributes.items()) + f">{content}</{name}>"


def many(count, make):
    return "".join(make(number) for number in range(count))


def head(policy, parent):
    return (
        f'<TrustFrameworkPolicy xmlns="{NAMESPACE}" PolicySchemaVersion="0.3.0.0" TenantId="yourtenant.onmicrosoft.com"'
        f' PolicyId="{policy}" PublicPolicyUri="http://yourtenant.onmicrosoft.com/{policy}">'
        f"<BasePolicy><TenantId>yourtenant.onmicrosoft.com</TenantId><PolicyId>{parent}</PolicyId></BasePolicy>\n")


def party(outputs="", journey="SignUpOrSignIn"):
    return (
        f'<RelyingParty><DefaultUserJourney ReferenceId="{journey}" /><TechnicalProfile Id="PolicyProfile">'
        '<DisplayName>PolicyProfile</DisplayName><Protocol Name="OpenIdConnect" /><OutputClaims>'
        '<OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />'
        f'<OutputClaim ClaimTypeReferenceId="displayName" />{outputs}</OutputClaims>'
        '<SubjectNamingInfo ClaimType="sub" /></TechnicalProfile></RelyingParty>')


def document(policy="B2C_1A_grown", parent="B2C_1A_SampleBase", blocks="", profiles="", providers="", journeys="", outputs="",
             journey="SignUpOrSignIn", sub="", last=""):
    text = head(policy, parent)
    if blocks:
        text += f"<BuildingBlocks>\n{blocks}</BuildingBlocks>\n"
    if profiles:
        providers += element(
            "ClaimsProvider", "<DisplayName>Grown</DisplayName>" + element("TechnicalProfiles", "\n" + profiles))
    if providers:
        text += element("ClaimsProviders", "\n" + providers) + "\n"
    if journeys:
        text += element("UserJourneys", journeys) + "\n"
    if sub:
        text += element("SubJourneys", sub) + "\n"
    return text + party(outputs, journey) + last + "\n</TrustFrameworkPolicy>\n"


def claim(number, more=""):
    return (
        f'<ClaimType Id="claim{number}"><DisplayName>Claim {number}</DisplayName><DataType>string</DataType>'
        f"<UserInputType>TextBox</UserInputType>{more}</ClaimType>\n")


def schema(count):
    return element("ClaimsSchema", "\n" + many(count, claim))


def transformation(number):
    return (
        f'<ClaimsTransformation Id="Make{number}" TransformationMethod="CreateStringClaim"><InputParameters>'
        f'<InputParameter Id="value" DataType="string" Value="v{number}" /></InputParameters><OutputClaims>'
        f'<OutputClaim ClaimTypeReferenceId="claim{number}" TransformationClaimType="createdClaim" /></OutputClaims>'
        "</ClaimsTransformation>\n")


def transformer(name, content):
    return (
        f'<TechnicalProfile Id="{name}"><DisplayName>{name}</DisplayName><Protocol Name="Proprietary" Handler="{TRANSFORMER}" />'
        f"{content}</TechnicalProfile>\n")


def referred(count):
    return element(
        "OutputClaimsTransformations", many(count, lambda number: f'<OutputClaimsTransformation ReferenceId="Make{number}" />'))


def outputs(count):
    return many(count, lambda number: f'<OutputClaim ClaimTypeReferenceId="claim{number}" DefaultValue="{number}" />')


def step(order, content, kind="ClaimsExchange", **attributes):
    return element("OrchestrationStep", content, Order=order, Type=kind, **attributes) + "\n"


def exchange(order, profile, before=""):
    return step(order, before + element(
        "ClaimsExchanges", f'<ClaimsExchange Id="Exchange{order}" TechnicalProfileReferenceId="{profile}" />'))


SIGN_IN = (
    '<ClaimsProviderSelections><ClaimsProviderSelection ValidationClaimsExchangeId="LocalAccountSigninEmailExchange" />'
    '</ClaimsProviderSelections><ClaimsExchanges><ClaimsExchange Id="LocalAccountSigninEmailExchange" '
    'TechnicalProfileReferenceId="SelfAsserted-LocalAccountSignin-Email" /></ClaimsExchanges>')


def journey(steps, name="Grown", after=1):
    """A sign-in, then the steps, then the token. `steps` are functions of their order."""
    every = [step(1, SIGN_IN, "CombinedSignInAndSignUp", ContentDefinitionReferenceId="api.signuporsignin")]
    every += [make(order) for order, make in enumerate(steps, 2)]
    every.append(step(len(every) + 1, "", "SendClaims", CpimIssuerTechnicalProfileReferenceId="JwtIssuer"))
    return element("UserJourney", element("OrchestrationSteps", "\n" + "".join(every)), Id=name)


PRECONDITION = (
    '<Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>displayName</Value><Value>x{}</Value>'
    "<Action>SkipThisOrchestrationStep</Action></Precondition>")


def page(count):
    return (
        '<TechnicalProfile Id="LocalAccountSignUpWithLogonEmail"><DisplayClaims>'
        + many(count, lambda number: f'<DisplayClaim ClaimTypeReferenceId="claim{number}" />') + "</DisplayClaims><OutputClaims>"
        + many(count, lambda number: f'<OutputClaim ClaimTypeReferenceId="claim{number}" />')
        + "</OutputClaims></TechnicalProfile>\n")


NOTHING = transformer("Nothing", '<OutputClaims><OutputClaim ClaimTypeReferenceId="claim0" DefaultValue="v" /></OutputClaims>')

# What there are many of, and the text of a policy that has so many.
THINGS = {
    "claims": lambda n: document(blocks=schema(n), outputs=outputs(n)),
    "steps": lambda n: document(
        blocks=schema(1), profiles=NOTHING, journey="Grown",
        journeys=journey([lambda order: exchange(order, "Nothing")] * n)),
    "skipped-steps": lambda n: document(
        blocks=schema(1), profiles=NOTHING, journey="Grown", journeys=journey([lambda order: exchange(
            order, "Nothing", '<Preconditions><Precondition Type="ClaimsExist" ExecuteActionsIf="true"><Value>objectId</Value>'
            "<Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>")] * n)),
    "preconditions": lambda n: document(
        blocks=schema(1), profiles=NOTHING, journey="Grown", journeys=journey([lambda order: exchange(
            order, "Nothing", element("Preconditions", many(n, lambda number: PRECONDITION.replace("{}", str(number)))))])),
    "profiles": lambda n: document(
        blocks=schema(1), profiles=many(n, lambda number: transformer(
            f"Profile{number}", '<OutputClaims><OutputClaim ClaimTypeReferenceId="claim0" /></OutputClaims>'))),
    "included-profiles": lambda n: document(
        blocks=schema(1), journey="Grown", journeys=journey([lambda order: exchange(order, "Profile0")]),
        profiles=many(n, lambda number: transformer(
            f"Profile{number}", '<OutputClaims><OutputClaim ClaimTypeReferenceId="claim0" DefaultValue="v" /></OutputClaims>'
            + (f'<IncludeTechnicalProfile ReferenceId="Profile{number + 1}" />' if number + 1 < n else "")))),
    "providers": lambda n: document(
        blocks=schema(1), providers=many(n, lambda number: element(
            "ClaimsProvider", f"<DisplayName>Provider {number}</DisplayName><TechnicalProfiles>"
            + transformer(f"Profile{number}", '<OutputClaims><OutputClaim ClaimTypeReferenceId="claim0" /></OutputClaims>')
            + "</TechnicalProfiles>"))),
    "transformations": lambda n: document(
        blocks=schema(n) + element("ClaimsTransformations", many(n, transformation)), outputs=outputs(n), journey="Grown",
        profiles=transformer("Nothing", outputs_of(n) + referred(n)),
        journeys=journey([lambda order: exchange(order, "Nothing")])),
    "journeys": lambda n: document(
        blocks=schema(1), profiles=NOTHING,
        journeys=many(n, lambda number: journey([lambda order: exchange(order, "Nothing")], f"Journey{number}"))),
    "sub-journeys": lambda n: document(
        blocks=schema(1), profiles=NOTHING, journey="Grown", journeys=journey([
            lambda order, number=number: step(
                order, f'<JourneyList><Candidate SubJourneyReferenceId="Sub{number}" /></JourneyList>', "InvokeSubJourney")
            for number in range(n)]),
        sub=many(n, lambda number: element(
            "SubJourney", element("OrchestrationSteps", exchange(1, "Nothing")), Id=f"Sub{number}", Type="Call"))),
    "fields": lambda n: document(blocks=schema(n), profiles=page(n), outputs=outputs(n)),
    "choices": lambda n: document(
        blocks=element("ClaimsSchema", claim(0, element("Restriction", many(
            n, lambda number: f'<Enumeration Text="Choice {number}" Value="c{number}" />'))).replace(
                "TextBox", "DropdownSingleSelect")), profiles=page(1), outputs=outputs(1)),
    "validations": lambda n: document(
        blocks=schema(n), profiles=many(n, lambda number: transformer(
            f"Profile{number}",
            f'<OutputClaims><OutputClaim ClaimTypeReferenceId="claim{number}" DefaultValue="v" /></OutputClaims>'))
        + '<TechnicalProfile Id="SelfAsserted-LocalAccountSignin-Email"><ValidationTechnicalProfiles>'
        + many(n, lambda number: f'<ValidationTechnicalProfile ReferenceId="Profile{number}" />')
        + "</ValidationTechnicalProfiles></TechnicalProfile>"),
    "metadata": lambda n: document(profiles=transformer(
        "Nothing", element("Metadata", many(n, lambda number: f'<Item Key="Key{number}">{number}</Item>')))),
    "content-definitions": lambda n: document(blocks=element("ContentDefinitions", many(n, lambda number: (
        f'<ContentDefinition Id="api.page{number}"><LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>'
        "<RecoveryUri>~/common/default_page_error.html</RecoveryUri>"
        "<DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.30</DataUri></ContentDefinition>\n")))),
    "texts": lambda n: document(blocks=element("Localization", element("LocalizedResources", element(
        "LocalizedStrings", many(n, lambda number: (
            f'<LocalizedString ElementType="UxElement" StringId="text{number}">Text {number}</LocalizedString>'))),
        Id="api.signuporsignin.en"), Enabled="true")),
    "predicates": lambda n: document(blocks=element("Predicates", many(n, lambda number: (
        f'<Predicate Id="Predicate{number}" Method="IsLengthRange"><UserHelpText>Text</UserHelpText><Parameters>'
        '<Parameter Id="Minimum">1</Parameter><Parameter Id="Maximum">9</Parameter></Parameters></Predicate>')))),
    "same-claims": lambda n: document(blocks=element("ClaimsSchema", many(n, lambda number: claim(0)))),
    "unknown-elements": lambda n: document(blocks=many(n, lambda number: f"<Unknown{number}/>\n")),
    "unknown-claims": lambda n: document(
        outputs=many(n, lambda number: f'<OutputClaim ClaimTypeReferenceId="unknown{number}" />\n')),
    "unknown-profiles": lambda n: document(
        journey="Grown", journeys=journey([
            lambda order, number=number: exchange(order, f"Unknown{number}") for number in range(n)])),
    "placeholders": lambda n: document(
        blocks=schema(1), outputs='<OutputClaim ClaimTypeReferenceId="claim0" AlwaysUseDefaultValue="true" DefaultValue="'
        + "{Claim:displayName}" * n + '" />'),
    "settings": lambda n: document(
        blocks=schema(1), outputs=f'<OutputClaim ClaimTypeReferenceId="claim0" DefaultValue="{"{Settings:Name}" * n}" />'),
}


def outputs_of(count):
    return element(
        "OutputClaims", many(count, lambda number: f'<OutputClaim ClaimTypeReferenceId="claim{number}" />'))


# Those that run: a person goes through the steps, pages or claims.
RUNNING = [
    "claims", "steps", "skipped-steps", "preconditions", "included-profiles", "transformations", "sub-journeys", "validations",
    "placeholders", "fields", "choices"]


def base(folder):
    folder.mkdir(exist_ok=True, parents=True)
    shutil.copy(BASE, folder / "Base.xml")


def write(folder, thing, count):
    base(folder)
    (folder / "Grown.xml").write_text(THINGS[thing](count))


def chain(folder, count):
    """Policies that inherit one from another."""
    base(folder)
    parent = "B2C_1A_SampleBase"
    for number in range(count):
        last = number + 1 == count
        name = "B2C_1A_grown" if last else f"B2C_1A_level{number}"
        text = head(name, parent) + element(
            "BuildingBlocks", element("ClaimsSchema", claim(number))) + (party() if last else "") + "</TrustFrameworkPolicy>"
        (folder / f"Level{number}.xml").write_text(text)
        parent = name


def siblings(folder, count):
    """Policies beside one another."""
    base(folder)
    for number in range(count):
        (folder / f"Policy{number}.xml").write_text(document(policy=f"B2C_1A_policy{number}"))
