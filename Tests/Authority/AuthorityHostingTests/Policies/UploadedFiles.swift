/// Files that are uploaded as keys, in base64. The keys in them are for tests alone.
enum UploadedFiles {
    /// An X.509 certificate with an RSA key, valid from 2026-11-30 to 2027-11-30.
    static let certificate =
        "MIIB9DCCAV2gAwIBAgIUZ4XCUz4sEoE5GuYTlI4cd4hcH9AwDQYJKoZIhvcNAQELBQAwDDEKMAgGA1UEAwwBdDAeFw0yNjExMzAw"
        + "NjEzNDdaFw0yNzExMzAwNjEzNDdaMAwxCjAIBgNVBAMMAXQwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAOXm9W+80b7pD5ZH"
        + "y0sD8ONQtvPyf9suasZEooBC6YgQXHlomUzfWVJSeoLGqIqlG6xCP6uwAfBpC4Inb7gxxveZydTRLcQg8IoOwAZq/EofD3/QYRPk"
        + "xtbfsKsx3p+6x7W+buYTib/sALye8kQ1CY9/fvs/IRqXI9TtjbgVrWNnAgMBAAGjUzBRMB0GA1UdDgQWBBQugGlwCwkcos452Zru"
        + "eCiW17puazAfBgNVHSMEGDAWgBQugGlwCwkcos452ZrueCiW17puazAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4GB"
        + "AEbLIaNQKo1rnp2L/w7BpwAIpstuShwcst6QFMMnCk9fKPrYH9xxEjYuELO4rKo2mJ4yuQDjSvp89Xc5WmuWMO8DWMQEm3X0JL/R"
        + "dgm0LGcvtO6z1GhqhQHstRWoRY/auvNi5lL0kAXzebI2jN17L9mPrBZKz32C471NkiNb+g4Z"

    /// An X.509 certificate with a key on a curve.
    static let curveCertificate =
        "MIIBcDCCARWgAwIBAgIUVTE+UOqslJ4PAqRzlcqvE0KqiS0wCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBZTAgFw0yNjExMzAwNjEz"
        + "NDdaGA8yMTI2MTEwNjA2MTM0N1owDDEKMAgGA1UEAwwBZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCbKGj/xvqgb0LO0OJ50"
        + "GFLRHU3t+U4ukanf9ZkWUHRyAePFQItju210+aIZ9FwcIC235YGrJg11nqJWy0NY8R6jUzBRMB0GA1UdDgQWBBRtBhJDN20+HUu6"
        + "qMnaq+FyYdTxmjAfBgNVHSMEGDAWgBRtBhJDN20+HUu6qMnaq+FyYdTxmjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kA"
        + "MEYCIQDq6Y38nzCpRo7gc8ysDiEK6ls+Gkfjs6juIY4Zy3eqXQIhAOa0auOhombrZVezIH4Kpn8T+UnUIL0x5znGrn23ziIg"

    /// A PKCS #12 file with the password `Opens-1`, authenticated with SHA-256.
    static let sha256 =
        "MIIBfgIBAzCCATQGCSqGSIb3DQEHAaCCASUEggEhMIIBHTCCARkGCSqGSIb3DQEHAaCCAQoEggEGMIIBAjCB/wYLKoZIhvcNAQwK"
        + "AQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECPP8DczoEO/kAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFl"
        + "AwQBKgQQGcEw1IpQUzCnlF7TSAG4ywSBkElUCVqdEu8h+jrHOkZg3/wSjeFAT98kWhlO4evAr39Jnjx7Yk8HJee9p2kDaFtMVAdR"
        + "hHLGFDQGmVDLedat/s9ZGndmucXwVzGOkRHDOcGbC24S3HsC3Op1aj247SXpT/o5XHBchWRfjGXUsOm6FgZTMi+mKUy8iKyCyBGL"
        + "/ngd5+iGUfLdZr+YXFTfkLk7PzBBMDEwDQYJYIZIAWUDBAIBBQAEIC5letXL+bLpHHPOuuPegU8zbLgRV/bbU08qv+3ol1j8BAjR"
        + "ulzoOSaSEgICCAA="

    /// The same, authenticated with SHA-1.
    static let sha1 =
        "MIIBbgIBAzCCATQGCSqGSIb3DQEHAaCCASUEggEhMIIBHTCCARkGCSqGSIb3DQEHAaCCAQoEggEGMIIBAjCB/wYLKoZIhvcNAQwK"
        + "AQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECPCi/YXENJsjAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFl"
        + "AwQBKgQQv3cHMN3TDosWFEMo7E5nsgSBkAbxCW8R8qW7cTZx6jJ74cGWLjy4KdXvjdrsmO7B0z0X5fjOIP9kSPofGYklJNaIvoqv"
        + "R2wnbH/ksp21FiwTYLSqULMRV4v5qabkGxohjL924zlBHp0SxroXVXaWV1yJz6aHJSCmTTUvgCq4v4mp5Zj7DMbg3d1kQ3Pgb7Wb"
        + "eqQE+eZHiWXbdv7UDwHPGi6mPjAxMCEwCQYFKw4DAhoFAAQU4PNHnDrVTxVqGH7HWCnlWCCYVM0ECOfiu6j5FSE0AgIIAA=="
}
