import Testing
import TrustFramework

/// The characters of one-time codes (Microsoft docs: one-time-password-technical-profile).
@Suite struct CodeCharactersTests {
    @Test(arguments: [
        ("0-9", "0123456789"), ("a-cX-Z", "abcXYZ"), ("abc", "abc"), ("", ""),
        // What is there twice counts once.
        ("0-30-3", "0123"), ("aab", "ab"),
        // A dash at an end, and one after a backslash, is a character; so is a range that goes backwards.
        ("-ab", "-ab"), ("ab-", "ab-"), (#"a\-c"#, "a-c"), ("9-7", "9-7"), (#"\"#, #"\"#), (#"\d"#, "0123456789"),
        (#"\\a"#, #"\a"#),
    ]) func `a set and its characters`(_ set: String, _ characters: String) {
        #expect(String(CodeCharacters.of(set)) == characters)
    }
}
