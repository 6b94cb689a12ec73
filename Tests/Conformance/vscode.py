"""The VS Code package: what the .vsix has, its own tests, and the extension against the built `b2c lsp`.

    vscode.py B2C

The extension runs in Node, with the part of VS Code's interface that packaging/vscode/tests/vscode.js has: VS Code itself is not
started. vscode_session.js does what a person does, in a copy of shipped scenarios and policies.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import xml.etree.ElementTree as ElementTree
import zipfile

from harness import run_part

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
SOURCE = os.path.join(ROOT, "packaging", "vscode")
sys.path.insert(0, os.path.join(ROOT, "packaging"))

import dist  # noqa: E402 - beside the package that it makes

VERSION = "1.2.3"
VSX = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"


def made(folder, time=1_700_000_000):
    os.makedirs(folder)
    return dist.make_vscode(types.SimpleNamespace(version=VERSION, time=time), folder)


def check_archive(path):
    """Each file that is named exists, and nothing else is loaded but VS Code and Node."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        package = json.loads(archive.read("extension/package.json"))
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        kinds = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        scripts = {name: archive.read(name).decode() for name in names if name.endswith(".js")}
    assert len(names) == len(set(names)), names
    strange = [name for name in names if "node_modules" in name or "/tests/" in name or name.count("/") > 1]
    assert not strange, f"not for the package: {strange}"
    endings = {kind.get("Extension") for kind in kinds.iter(TYPES + "Default")}
    untyped = {name for name in names if name.rsplit(".", 1)[-1] not in endings} - {"[Content_Types].xml"}
    assert not untyped, f"without a content type: {untyped}"
    assets = [asset.get("Path") for asset in manifest.iter(VSX + "Asset")] + [manifest.findtext(f".//{VSX}License")]
    missing = [asset for asset in assets if asset not in names]
    assert not missing, f"the manifest names {missing}"
    identity = manifest.find(f".//{VSX}Identity")
    assert (identity.get("Id"), identity.get("Version")) == (package["name"], VERSION) == (package["name"], package["version"])
    loaded = {f"extension/{package['main'].removeprefix('./')}"}
    for name, text in scripts.items():
        for required in re.findall(r'require\("([^"]+)"\)', text):
            if required.startswith("./"):
                loaded.add(f"extension/{required[2:]}.js")
            else:
                assert required == "vscode" or required.startswith("node:"), f"{name} needs {required}"
    assert loaded == set(scripts), f"loaded {sorted(loaded)}, packed {sorted(scripts)}"


def check_contributions():
    """Menus name commands of the manifest, and settings are read under their names."""
    with open(os.path.join(SOURCE, "package.json"), encoding="utf-8") as file:
        contributes = json.load(file)["contributes"]
    commands = {command["command"] for command in contributes["commands"]}
    named = {entry["command"] for entries in contributes["menus"].values() for entry in entries}
    assert named <= commands, f"menus name {named - commands}"
    with open(os.path.join(SOURCE, "extension.js"), encoding="utf-8") as file:
        registered = set(re.findall(r'^ {6}"(b2c\.\w+)":', file.read(), re.M))
    # A lens leads to it; it needs an argument.
    assert registered == commands | {"b2c.reach"}, f"registered {sorted(registered)}, contributed {sorted(commands)}"
    with open(os.path.join(SOURCE, "settings.js"), encoding="utf-8") as file:
        read = set(re.findall(r'"(b2c\.\w+)"', file.read()))
    assert read == set(contributes["configuration"]["properties"]), f"settings.js reads {sorted(read)}"


def run_tests(path, **environment):
    done = subprocess.run(
        ["node", "--test", path], capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL,
        env={**{name: value for name, value in os.environ.items() if not name.startswith("B2C_")}, **environment})
    if done.returncode != 0:
        print((done.stdout + done.stderr)[-8000:])
        raise AssertionError(f"node --test {os.path.basename(path)} ends with exit code {done.returncode}")
    passed = re.search(r"pass (\d+)", done.stdout)
    assert passed and int(passed[1]) > 0, f"no test ran: {done.stdout[-300:]}"


# A policy below the shipped one, so that the claim `tier` is in three files of a chain.
VIP = """\
<?xml version="1.0" encoding="utf-8"?>
<TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0" TenantId="yourtenant.onmicrosoft.com" PolicyId="B2C_1A_vip" PublicPolicyUri="http://yourtenant.onmicrosoft.com/B2C_1A_vip">
  <BasePolicy>
    <TenantId>yourtenant.onmicrosoft.com</TenantId>
    <PolicyId>B2C_1A_loyalty</PolicyId>
  </BasePolicy>
  <RelyingParty>
    <DefaultUserJourney ReferenceId="SignUpOrSignIn" />
    <TechnicalProfile Id="PolicyProfile">
      <DisplayName>PolicyProfile</DisplayName>
      <Protocol Name="OpenIdConnect" />
      <OutputClaims>
        <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />
        <OutputClaim ClaimTypeReferenceId="tier" />
      </OutputClaims>
      <SubjectNamingInfo ClaimType="sub" />
    </TechnicalProfile>
  </RelyingParty>
</TrustFrameworkPolicy>
"""


def make_workspace(folder):
    """Shipped scenarios and policies, with the claim `tier` declared in the base policy."""
    os.makedirs(folder)
    for name in ("policies", "tenants"):
        shutil.copytree(os.path.join(ROOT, "scenarios", name), os.path.join(folder, name))
    for name in ("custom-policy.json", "happy-sign-in.json"):
        shutil.copy(os.path.join(ROOT, "scenarios", name), folder)
    loyalty, base, vip = (os.path.join(folder, "policies", name) for name in ("Loyalty.xml", "Base.xml", "Vip.xml"))
    declared = re.search(r"  <BuildingBlocks>.*</BuildingBlocks>\n", text_of(loyalty), re.S)[0]
    write(loyalty, text_of(loyalty).replace(declared, ""))
    write(base, text_of(base).replace("  <ClaimsProviders>\n", declared + "  <ClaimsProviders>\n", 1))
    write(vip, VIP)
    return folder


def text_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def main():
    program = os.path.abspath(sys.argv[1])

    def body(report):
        with tempfile.TemporaryDirectory() as folder:
            path = made(os.path.join(folder, "one"))

            def same():
                other = made(os.path.join(folder, "two"))
                with open(path, "rb") as one, open(other, "rb") as two:
                    assert one.read() == two.read(), "the same files give other bytes"

            def syntax():
                for name in sorted(os.listdir(extension)):
                    if name.endswith(".js"):
                        subprocess.run(["node", "--check", os.path.join(extension, name)], check=True, capture_output=True, timeout=60)

            def session():
                workspace = make_workspace(os.path.join(folder, "workspace"))
                run_tests(os.path.join(HERE, "vscode_session.js"), B2C=program, WORKSPACE=workspace, EXTENSION=extension)

            report.check("the .vsix names what it has", lambda: check_archive(path))
            report.check("the same files give the same .vsix", same)
            report.check("commands, menus and settings", check_contributions)
            with zipfile.ZipFile(path) as archive:
                archive.extractall(os.path.join(folder, "unpacked"))
            extension = os.path.join(folder, "unpacked", "extension")
            report.check("syntax", syntax)
            report.check("the extension's own tests", lambda: run_tests(os.path.join(SOURCE, "tests", "extension.test.js")))
            report.check("a session with b2c lsp", session)

    return run_part("VS Code package", body)


if __name__ == "__main__":
    sys.exit(main())
