import Foundation

/// DEFLATE streams as zlib writes them (levels 0 and 9, strategies default, fixed and Huffman only), and what they hold.
enum DeflateSamples {
    private static let words = "the quick brown fox signs in at the authority and the token comes back; "

    private static func numbered() -> [UInt8] {
        Array((0..<120).map { "\($0):" + words.prefix($0 % 60) }.joined().utf8)
    }

    static let all: [(name: String, packed: String, text: @Sendable () -> [UInt8])] = [
        ("empty", "AwA=", { [] }),
        ("stored", "AQ8A8P9zdG9yZWQgYXMgaXQgaXM=", { Array("stored as it is".utf8) }),
        (
            "dynamic",
            [
                "pVVZcsIwFLuKj/Dk3bkNbdMmw0wyBXfa3r4sBbJ55YPEfk8awNaTqEHjeeM7cfq08vxg6vL81NfXl/l/9/a2eHX31R70WDNgsnkB",
                "n+4OELPtCDnff0MtCgP0ssJgVqV32HVthNso/nDaqjKOzfKR8+16z0Wg8cFlqDNwFWwduQ73GDeRZs9trDtwF20zQfH+TiAB8IKn",
                "EEyIJMQLmcZ0QmWAWqFzUEyYLNhO2Dzcl3CZQC8pF9lJZENHyfOxBykKwL2UJWgvVRH8V+oyPJOmkLCTtpQxSFdMeVNUzmEKFSSv",
                "eA2rU6KK1ipZx2NKVRK90rXMUZlq6l7Zem6r3BPkQVOjT2LQ56vVl4vS12PXt2S+HYm+/0H9+Ll68uVmqkQzU5iZK8csFGGWN21W",
                "N2jWN2M2TtxsnaTZPCG7PTg2MBo2JH4blLcNC9hGJGpjIrRRmdm4kGxCKi7lJS7pGy7tES7DD1zO7LusOXd5M+0y59flzqrLnktQ",
                "voeDCqwbVOLYoCKjBpX5M6jQlkGlbgwqNmFQufeCKiwXqAlqoCqpgbqoBiqzGqgNa6A6rYH6uAaeyGvgmcAGnkrsPw==",
            ].joined(),
            { numbered() }
        ),
        (
            "fixed", "S0zEDZLwAAA=",
            { Array((String(repeating: "a", count: 28) + String(repeating: "b", count: 28)).utf8) }
        ),
        (
            "run of one byte",
            "7cExAQAAAMKg3ktvDQ+gAAAAAAAAAAAAAAAAAAAAAAAAAHgw",
            { Array(repeating: UInt8(ascii: "z"), count: 20_000) }
        ),
        (
            "huffman only",
            [
                "BcGLbQQhDAXAVl4Jt/lcLnQDxLu2kGwBD7HXfWYe6Uj8SNTPRJWvRBV8J6qgPxNV0NdPogr6sleiCvqy+puogr6stuORqIK+rDYc",
                "R6IK+rLaUI6PRBX0ZbWhjOMzUQV9WW0oI46vRBX0ZbWhjNjHd6IK+rLaUEZsP56JKujLakMZsR3HT6IK+rLaUEZsx3m8ElXQl9WG",
                "MmI7zjh+E1XQl9WGMmI7zrg/Hokq6MtqQxmxHWfc+DgSVdCX1YYyYjvOuDE/PhJV0JfVhjJiO864Me3jM1EFfVltKCO244wb066P",
                "r0QV9GW1oYzYjjNuTLv84ztRBX1ZbSgjtuOMG9Munx/PRBX0ZbWhjNiOM25Mu3zi4ydRBX1ZbSgjtuOMG9Mun7CPV6IK+rLaUEZs",
                "xxk3pl0+Yf7xm6iCvqw2lBHbccaNaZdPmOPzkaiCvqw2lBHbccaNaZdPmCN/Hokq6MtqQxmxHWfcmHb5hDkyPz8SVdCX1YYyYjvO",
                "uDHt8glzZOLzM1EFfVltKCO244wb0y6fMEcm+PmVqIK+rDaUEdtxxo1pl0+YIxPUz+9EFfRltaGM2I4zbky7fMIcmaDK5zNRBX1Z",
                "bSgjtuOMG9MunzBHJqiCz59EFfRltaGM2I4zbky7fMIcmaAK8ucrUQV9WW0oI7bjjBvTLp8wRyaogrw+fxNV0JfVhjJiO864Me3y",
                "CXNkgirIi1+PRBX0ZbWhjNiOM25Mu3zCHJmgCvKifh2JKujLakMZsR1n3Jh2+YQ5MkEV5EWNr49EFfRltaGM2I4zbky7fMIcmaAK",
                "8qLG+PpMVEFfVhvKiO0448a0yyfMkQmqIC9qDPv6SlRBX1YbyojtOOPGtMsnzJEJqiAvagzj13eiCvqy2lBGbMcZN6ZdPmGOTFAF",
                "eVFjGN9fz0QV9GW1oYzYjjNuTLt8whyZoAryosYwvvH1k6iCvqw2lBHbccaNaZdPmCMTVEFe1BjGN/LXK1EFfVltKCO244wb0y6f",
                "MEcmqIK8qDGMb2T/+k1UQV9WG8qI7TjjxrTLJ8yRCaogL2oM4xvZ/74fiSroy2pDGbEdZ9yYdvmEOTJBFeRFjWF8I/sfvo9EFfRl",
                "taGM2I4zbky7fMIcmaAK8qLGML6R/Q/8/khUQV9WG8qI7TjjxrTLJ8yRCaogL2oM4xvZ/0D9/kxUQV9WG8qI7TjjxrTLJ8yRCaog",
                "L2oM4xvZ/0CV769EFfRltaGM2I4zbky7fMIcmaAK8qLGML6R/Q9Uwfd3ogr6stpQRmzHGTemXT5hjkxQBXlRYxjfyP4HqoDfz0QV",
                "9GW1oYzYjjNuTLt8whyZoAryosYwvpH9D1QB4/snUQV9WW0oI7bjjBvTLp8wRyaogryoMYxvZP8DVcBo369EFfRltaGM2I4zbky7",
                "fMIcmaAK8qLGML6R/Q9UAaPJ92+iCvqy2lBGbMcZN6ZdPmGOTFAFeVFjGN/I/geqgNHEn4/0PBKfH4n6/ExUeX4lquD5naiC/nwm",
                "qqCv50+iCvqy5ytRBX1Zff4mqqAvq+3nkaiCvqw2/ByJKujLakP5+UhUQV9WG8r4+UxUQV9WG8qIn69EFfRltaGM2D/fiSroy2pD",
                "GbH955mogr6sNpQR2/Hzk6iCvqw2lBHbcf68ElXQl9WGMmI7zvj5TVRBX1YbyojtOON+PRJV0JfVhjJiO8648ToSVdCX1YYyYjvO",
                "uDFfH4kq6MtqQxmxHWfcmPb6TFRBX1YbyojtOOPGtOv1laiCvqw2lBHbccaNaZe/vhNV0JfVhjJiO864Me3y+XomqqAvqw1lxHac",
                "cWPa5ROvn0QV9GW1oYzYjjNuTLt8wl6vRBX0ZbWhjNiOM25Mu3zC/PWbqIK+rDaUEdtxxo1pl0+Y4/eRqIK+rDaUEdtxxo1pl0+Y",
                "I/8eiSroy2pDGbEdZ9yYdvmEOTJ/PxJV0JfVhjJiO864Me3yCXNk4vczUQV9WW0oI7bjjBvTLp8wRyb4+5Wogr6sNpQR23HGjWmX",
                "T5gjE9Tf70QV9GW1oYzYjjNuTLt8whyZoMrvM1EFfVltKCO244wb0y6fMEcmqILfn0QV9GW1oYzYjjNuTLt8whyZoAry7ytRBX1Z",
                "bSgjtuOMG9MunzBHJqiCvH5/E1XQl9WGMmI7zrgx7fIJc2SCKsiLx+ORqIK+rDaUEdtxxo1pl0+YIxNUQV7U43EkqqAvqw1lxHac",
                "cWPa5RPmyARVkBc1jsdHogr6stpQRmzHGTemXT5hjkxQBXlRYxyPz0QV9GW1oYzYjjNuTLt8whyZoAryosaw4/GVqIK+rDaUEdtx",
                "xo1pl0+YIxNUQV7UGMbj8Z2ogr6sNpQR23HGjWmXT5gjE1RBXtQYxvfxeCaqoC+rDWXEdpxxY9rlE+bIBFWQFzWG8Y3j8ZOogr6s",
                "NpQR23HGjWmXT5gjE1RBXtQYxjfy8XglqqAvqw1lxHaccWPa5RPmyARVkBc1hvGN7MfjN1EFfVltKCO244wb0y6fMEcmqIK8qDGM",
                "b2T/O45Hogr6stpQRmzHGTemXT5hjkxQBXlRYxjfyP6H4zgSVdCX1YYyYjvOuDHt8glzZIIqyIsaw/hG9j/wOD4SVdCX1YYyYjvO",
                "uDHt8glzZIIqyIsaw/hG9j9Qj+MzUQV9WW0oI7bjjBvTLp8wRyaogryoMYxvZP8DVY7jK1EFfVltKCO244wb0y6fMEcmqIK8qDGM",
                "b2T/A1VwHN+JKujLakMZsR1n3Jh2+YQ5MkEV5EWNYXwj+x+oAh7HM1EFfVltKCO244wb0y6fMEcmqIK8qDGMb2T/A1XAOI6fRBX0",
                "ZbWhjNiOM25Mu3zCHJmgCvKixjC+kf0PVAGjHccrUQV9WW0oI7bjjBvTLp8wRyaogryoMYxvZP8DVcBochy/iSroy2pDGbEdZ9yY",
                "dvmEOTJBFeRFjWF8I/sfqAJGE/8H",
            ].joined(),
            { numbered() }
        ),
    ]
}
