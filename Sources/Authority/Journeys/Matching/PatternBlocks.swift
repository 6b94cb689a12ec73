/// Named Unicode blocks of .NET's `\p{IsGreek}`, as far as the basic plane reaches.
enum PatternBlocks {
    static func range(_ name: String) -> ClosedRange<UInt32>? {
        blocks.first { $0.name == name }?.range
    }

    private static let blocks: [(name: String, range: ClosedRange<UInt32>)] = [
        ("IsBasicLatin", 0x0000...0x007F), ("IsLatin-1Supplement", 0x0080...0x00FF),
        ("IsLatinExtended-A", 0x0100...0x017F), ("IsLatinExtended-B", 0x0180...0x024F),
        ("IsIPAExtensions", 0x0250...0x02AF), ("IsSpacingModifierLetters", 0x02B0...0x02FF),
        ("IsCombiningDiacriticalMarks", 0x0300...0x036F), ("IsGreek", 0x0370...0x03FF),
        ("IsGreekandCoptic", 0x0370...0x03FF), ("IsCyrillic", 0x0400...0x04FF),
        ("IsCyrillicSupplement", 0x0500...0x052F), ("IsArmenian", 0x0530...0x058F),
        ("IsHebrew", 0x0590...0x05FF),
        ("IsArabic", 0x0600...0x06FF), ("IsSyriac", 0x0700...0x074F), ("IsThaana", 0x0780...0x07BF),
        ("IsDevanagari", 0x0900...0x097F), ("IsBengali", 0x0980...0x09FF),
        ("IsGurmukhi", 0x0A00...0x0A7F),
        ("IsGujarati", 0x0A80...0x0AFF), ("IsOriya", 0x0B00...0x0B7F), ("IsTamil", 0x0B80...0x0BFF),
        ("IsTelugu", 0x0C00...0x0C7F), ("IsKannada", 0x0C80...0x0CFF), ("IsMalayalam", 0x0D00...0x0D7F),
        ("IsSinhala", 0x0D80...0x0DFF), ("IsThai", 0x0E00...0x0E7F), ("IsLao", 0x0E80...0x0EFF),
        ("IsTibetan", 0x0F00...0x0FFF), ("IsGeorgian", 0x10A0...0x10FF),
        ("IsHangulJamo", 0x1100...0x11FF),
        ("IsLatinExtendedAdditional", 0x1E00...0x1EFF), ("IsGreekExtended", 0x1F00...0x1FFF),
        ("IsGeneralPunctuation", 0x2000...0x206F), ("IsSuperscriptsandSubscripts", 0x2070...0x209F),
        ("IsCurrencySymbols", 0x20A0...0x20CF), ("IsLetterlikeSymbols", 0x2100...0x214F),
        ("IsNumberForms", 0x2150...0x218F), ("IsArrows", 0x2190...0x21FF),
        ("IsMathematicalOperators", 0x2200...0x22FF), ("IsBoxDrawing", 0x2500...0x257F),
        ("IsGeometricShapes", 0x25A0...0x25FF), ("IsMiscellaneousSymbols", 0x2600...0x26FF),
        ("IsDingbats", 0x2700...0x27BF), ("IsCJKSymbolsandPunctuation", 0x3000...0x303F),
        ("IsHiragana", 0x3040...0x309F), ("IsKatakana", 0x30A0...0x30FF),
        ("IsBopomofo", 0x3100...0x312F),
        ("IsCJKUnifiedIdeographsExtensionA", 0x3400...0x4DBF),
        ("IsCJKUnifiedIdeographs", 0x4E00...0x9FFF),
        ("IsHangulSyllables", 0xAC00...0xD7AF), ("IsHighSurrogates", 0xD800...0xDB7F),
        ("IsLowSurrogates", 0xDC00...0xDFFF), ("IsPrivateUse", 0xE000...0xF8FF),
        ("IsCJKCompatibilityIdeographs", 0xF900...0xFAFF),
        ("IsHalfwidthandFullwidthForms", 0xFF00...0xFFEF),
        ("IsSpecials", 0xFFF0...0xFFFF),
    ]
}
