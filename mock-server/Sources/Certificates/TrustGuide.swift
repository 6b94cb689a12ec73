import CommandKit

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How systems and programs come to trust the local authority.
struct TrustGuide: Sendable {
    let certificate: String
    let publicKeyHash: String

    /// Everything, by system and program.
    var text: String {
        let ca = Self.quoted(certificate)
        var text = "The authority's certificate: \(certificate)\n"
        func section(_ title: String, _ lines: [String]) {
            text += "\n\(title)\n" + lines.map { "  \($0)\n" }.joined()
        }
        section(
            "Debian, Ubuntu",
            [
                "sudo cp \(ca) /usr/local/share/ca-certificates/b2c-harness.crt",
                "sudo update-ca-certificates",
            ])
        section(
            "Fedora, RHEL",
            [
                "sudo cp \(ca) /etc/pki/ca-trust/source/anchors/b2c-harness.pem",
                "sudo update-ca-trust",
            ])
        section(
            "macOS (also Safari and Chrome there)",
            ["security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db \(ca)"])
        section(
            "iOS simulator (the one that runs)",
            ["xcrun simctl keychain booted add-root-cert \(ca)"])
        section(
            "iPhone or iPad",
            [
                "Send the file to the device and install it (Settings, General, VPN & Device Management), then switch",
                "it on in Settings, General, About, Certificate Trust Settings.",
            ])
        section(
            "Chrome on Linux, and other programs with an NSS list (package libnss3-tools or nss-tools)",
            ["certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n b2c-harness -i \(ca)"])
        section(
            "Firefox",
            ["certutil -d sql:PROFILE-FOLDER -A -t C,, -n b2c-harness -i \(ca)   (about:profiles shows the folder)"])
        section(
            "Chromium for tests, without any list",
            [
                "chromium --user-data-dir=$(mktemp -d) --ignore-certificate-errors-spki-list=\(publicKeyHash) \\",
                "  --host-resolver-rules='MAP contoso.b2clogin.com 127.0.0.1:9443'",
            ])
        section("curl", ["curl --cacert \(ca) https://localhost:9443/health"])
        section(
            "Python: requests, MSAL, httpx",
            ["export REQUESTS_CA_BUNDLE=\(ca) SSL_CERT_FILE=\(ca)"])
        section("Node.js", ["export NODE_EXTRA_CA_CERTS=\(ca)"])
        section(
            "The names of the tenant on this machine (or curl --connect-to, Chromium --host-resolver-rules)",
            ["echo '127.0.0.1 contoso.b2clogin.com' | sudo tee -a /etc/hosts"])
        return text
    }

    /// What `--install` runs on this system.
    func commandsHere() throws -> [[String]] {
        let root = Machine.isRoot ? [] : ["sudo"]
        #if canImport(Darwin)
            let home = Machine.environment("HOME") ?? ""
            return [
                [
                    "security", "add-trusted-cert", "-r", "trustRoot", "-k",
                    home + "/Library/Keychains/login.keychain-db",
                    certificate,
                ]
            ]
        #else
            if FileSystem.kind("/usr/local/share/ca-certificates") == .folder {
                return [
                    root + ["cp", certificate, "/usr/local/share/ca-certificates/b2c-harness.crt"],
                    root + ["update-ca-certificates"],
                ]
            }
            if FileSystem.kind("/etc/pki/ca-trust/source/anchors") == .folder {
                return [
                    root + ["cp", certificate, "/etc/pki/ca-trust/source/anchors/b2c-harness.pem"],
                    root + ["update-ca-trust"],
                ]
            }
            throw Failure.machine(
                "this system's list of authorities is none that is known here; see: b2c certificate trust")
        #endif
    }

    /// A path as a shell takes it.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte | 0x20) || [45, 46, 47, 95].contains(byte)
        }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
