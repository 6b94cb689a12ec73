import Diagnostics

/// Countries and regions that a page offers for the attribute Country/Region.
///
/// User flows show a list whose values are the English names (the portal's input type `DropdownSingleSelect`; that the
/// value is the name is inferred from tokens in public documents). Codes and names: ISO 3166-1, in plain English and
/// German.
enum Countries {
    /// Name in English, which is the value too, and in German.
    static let all: [(english: String, german: String)] = names.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "|")
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// The choices of a claim in English.
    static func english(_ location: SourceLocation) -> [Element.EnumerationItem] {
        all.map { Element.EnumerationItem(text: $0.english, value: $0.english, location: location) }
    }

    /// The same in German, in the order of that language.
    static func german(_ location: SourceLocation) -> [Element.EnumerationItem] {
        all.sorted { sortKey($0.german) < sortKey($1.german) }
            .map { Element.EnumerationItem(text: $0.german, value: $0.english, location: location) }
    }

    /// Umlauts stand with their vowels (DIN 5007-1).
    private static func sortKey(_ name: String) -> String {
        let plain: [Character: Character] = [
            "ä": "a", "ö": "o", "ü": "u", "å": "a", "ç": "c", "é": "e", "ô": "o", "ã": "a",
        ]
        return String(name.lowercased().map { plain[$0] ?? $0 })
    }

    private static let names = """
        Afghanistan|Afghanistan
        Åland Islands|Ålandinseln
        Albania|Albanien
        Algeria|Algerien
        American Samoa|Amerikanisch-Samoa
        Andorra|Andorra
        Angola|Angola
        Anguilla|Anguilla
        Antigua and Barbuda|Antigua und Barbuda
        Argentina|Argentinien
        Armenia|Armenien
        Aruba|Aruba
        Australia|Australien
        Austria|Österreich
        Azerbaijan|Aserbaidschan
        Bahamas|Bahamas
        Bahrain|Bahrain
        Bangladesh|Bangladesch
        Barbados|Barbados
        Belarus|Belarus
        Belgium|Belgien
        Belize|Belize
        Benin|Benin
        Bermuda|Bermuda
        Bhutan|Bhutan
        Bolivia|Bolivien
        Bosnia and Herzegovina|Bosnien und Herzegowina
        Botswana|Botsuana
        Brazil|Brasilien
        British Indian Ocean Territory|Britisches Territorium im Indischen Ozean
        British Virgin Islands|Britische Jungferninseln
        Brunei|Brunei Darussalam
        Bulgaria|Bulgarien
        Burkina Faso|Burkina Faso
        Burundi|Burundi
        Cambodia|Kambodscha
        Cameroon|Kamerun
        Canada|Kanada
        Cape Verde|Cabo Verde
        Caribbean Netherlands|Karibische Niederlande
        Cayman Islands|Kaimaninseln
        Central African Republic|Zentralafrikanische Republik
        Chad|Tschad
        Chile|Chile
        China|China
        Christmas Island|Weihnachtsinsel
        Cocos Islands|Kokosinseln
        Colombia|Kolumbien
        Comoros|Komoren
        Congo|Kongo
        Congo (Democratic Republic)|Kongo (Demokratische Republik)
        Cook Islands|Cookinseln
        Costa Rica|Costa Rica
        Côte d'Ivoire|Côte d'Ivoire
        Croatia|Kroatien
        Cuba|Kuba
        Curaçao|Curaçao
        Cyprus|Zypern
        Czechia|Tschechien
        Denmark|Dänemark
        Djibouti|Dschibuti
        Dominica|Dominica
        Dominican Republic|Dominikanische Republik
        Ecuador|Ecuador
        Egypt|Ägypten
        El Salvador|El Salvador
        Equatorial Guinea|Äquatorialguinea
        Eritrea|Eritrea
        Estonia|Estland
        Eswatini|Eswatini
        Ethiopia|Äthiopien
        Falkland Islands|Falklandinseln
        Faroe Islands|Färöer
        Fiji|Fidschi
        Finland|Finnland
        France|Frankreich
        French Guiana|Französisch-Guayana
        French Polynesia|Französisch-Polynesien
        Gabon|Gabun
        Gambia|Gambia
        Georgia|Georgien
        Germany|Deutschland
        Ghana|Ghana
        Gibraltar|Gibraltar
        Greece|Griechenland
        Greenland|Grönland
        Grenada|Grenada
        Guadeloupe|Guadeloupe
        Guam|Guam
        Guatemala|Guatemala
        Guernsey|Guernsey
        Guinea|Guinea
        Guinea-Bissau|Guinea-Bissau
        Guyana|Guyana
        Haiti|Haiti
        Honduras|Honduras
        Hong Kong|Hongkong
        Hungary|Ungarn
        Iceland|Island
        India|Indien
        Indonesia|Indonesien
        Iran|Iran
        Iraq|Irak
        Ireland|Irland
        Isle of Man|Isle of Man
        Israel|Israel
        Italy|Italien
        Jamaica|Jamaika
        Japan|Japan
        Jersey|Jersey
        Jordan|Jordanien
        Kazakhstan|Kasachstan
        Kenya|Kenia
        Kiribati|Kiribati
        Kosovo|Kosovo
        Kuwait|Kuwait
        Kyrgyzstan|Kirgisistan
        Laos|Laos
        Latvia|Lettland
        Lebanon|Libanon
        Lesotho|Lesotho
        Liberia|Liberia
        Libya|Libyen
        Liechtenstein|Liechtenstein
        Lithuania|Litauen
        Luxembourg|Luxemburg
        Macao|Macau
        Madagascar|Madagaskar
        Malawi|Malawi
        Malaysia|Malaysia
        Maldives|Malediven
        Mali|Mali
        Malta|Malta
        Marshall Islands|Marshallinseln
        Martinique|Martinique
        Mauritania|Mauretanien
        Mauritius|Mauritius
        Mayotte|Mayotte
        Mexico|Mexiko
        Micronesia|Mikronesien
        Moldova|Republik Moldau
        Monaco|Monaco
        Mongolia|Mongolei
        Montenegro|Montenegro
        Montserrat|Montserrat
        Morocco|Marokko
        Mozambique|Mosambik
        Myanmar|Myanmar
        Namibia|Namibia
        Nauru|Nauru
        Nepal|Nepal
        Netherlands|Niederlande
        New Caledonia|Neukaledonien
        New Zealand|Neuseeland
        Nicaragua|Nicaragua
        Niger|Niger
        Nigeria|Nigeria
        Niue|Niue
        Norfolk Island|Norfolkinsel
        North Korea|Nordkorea
        North Macedonia|Nordmazedonien
        Northern Mariana Islands|Nördliche Marianen
        Norway|Norwegen
        Oman|Oman
        Pakistan|Pakistan
        Palau|Palau
        Palestine|Palästina
        Panama|Panama
        Papua New Guinea|Papua-Neuguinea
        Paraguay|Paraguay
        Peru|Peru
        Philippines|Philippinen
        Poland|Polen
        Portugal|Portugal
        Puerto Rico|Puerto Rico
        Qatar|Katar
        Réunion|Réunion
        Romania|Rumänien
        Russia|Russland
        Rwanda|Ruanda
        Saint Barthélemy|St. Barthélemy
        Saint Helena|St. Helena
        Saint Kitts and Nevis|St. Kitts und Nevis
        Saint Lucia|St. Lucia
        Saint Martin|St. Martin
        Saint Pierre and Miquelon|St. Pierre und Miquelon
        Saint Vincent and Grenadines|St. Vincent und die Grenadinen
        Samoa|Samoa
        San Marino|San Marino
        São Tomé and Príncipe|São Tomé und Príncipe
        Saudi Arabia|Saudi-Arabien
        Senegal|Senegal
        Serbia|Serbien
        Seychelles|Seychellen
        Sierra Leone|Sierra Leone
        Singapore|Singapur
        Sint Maarten|Sint Maarten
        Slovakia|Slowakei
        Slovenia|Slowenien
        Solomon Islands|Salomonen
        Somalia|Somalia
        South Africa|Südafrika
        South Korea|Südkorea
        South Sudan|Südsudan
        Spain|Spanien
        Sri Lanka|Sri Lanka
        Sudan|Sudan
        Suriname|Suriname
        Svalbard and Jan Mayen|Spitzbergen und Jan Mayen
        Sweden|Schweden
        Switzerland|Schweiz
        Syria|Syrien
        Taiwan|Taiwan
        Tajikistan|Tadschikistan
        Tanzania|Tansania
        Thailand|Thailand
        Timor-Leste|Timor-Leste
        Togo|Togo
        Tokelau|Tokelau
        Tonga|Tonga
        Trinidad and Tobago|Trinidad und Tobago
        Tunisia|Tunesien
        Turkey|Türkei
        Turkmenistan|Turkmenistan
        Turks and Caicos Islands|Turks- und Caicosinseln
        Tuvalu|Tuvalu
        U.S. Virgin Islands|Amerikanische Jungferninseln
        Uganda|Uganda
        Ukraine|Ukraine
        United Arab Emirates|Vereinigte Arabische Emirate
        United Kingdom|Vereinigtes Königreich
        United States|Vereinigte Staaten
        Uruguay|Uruguay
        Uzbekistan|Usbekistan
        Vanuatu|Vanuatu
        Vatican City|Vatikanstadt
        Venezuela|Venezuela
        Vietnam|Vietnam
        Wallis and Futuna|Wallis und Futuna
        Western Sahara|Westsahara
        Yemen|Jemen
        Zambia|Sambia
        Zimbabwe|Simbabwe
        """
}
