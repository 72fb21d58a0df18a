import TripEvents

// The values that a person may set: those that this program and this machine know. Events that are
// appended as such are not judged by this, because these values change with time.
extension SettingsChanged {
    /// The languages in which reports are written (ISO 639-1).
    package static let languages = ["de", "en", "fr", "nl"]

    /// Why the settings may not be decided, or `nil` if they may.
    var rejection: Rejection? {
        timeZone.flatMap(Self.rejection(ofTimeZone:))
            ?? language.value.flatMap(Self.rejection(ofLanguage:))
            ?? country.value.flatMap(Self.rejection(ofCountry:))
    }

    private static func rejection(ofTimeZone name: String) -> Rejection? {
        do throws(LedgerError) {
            _ = try TimeZoneRules.ofMachine(named: name)
            return nil
        } catch {
            let field = SettingName.timeZone.rawValue
            return Rejection(
                .unknownValue,
                field: field,
                sentence: "\(field) \(Excerpt.of(name)) cannot be used: \(error.cause). "
                    + error.hint + (error.hint.hasSuffix("?") ? "" : ".")
            )
        }
    }

    private static func rejection(ofLanguage tag: String) -> Rejection? {
        let parts = tag.split(separator: "-").map(String.init)
        let field = SettingName.language.rawValue
        guard let language = parts.first, languages.contains(language) else {
            let known = languages.joined(separator: ", ")
            return unknown(tag, field, "reports are written in \(known)", languages)
        }
        guard let region = parts.dropFirst().first?.lowercased(), !Countries.codes.contains(region)
        else { return nil }
        return unknown(tag, field, "no country has the code \(region)", Countries.codes)
    }

    private static func rejection(ofCountry code: String) -> Rejection? {
        guard !Countries.codes.contains(code) else { return nil }
        let field = SettingName.country.rawValue
        guard let usual = Countries.usualMistakes[code] else {
            return unknown(code, field, "no country has this code (ISO 3166-1)", Countries.codes)
        }
        return Rejection(
            .unknownValue,
            field: field,
            sentence: "\(field) \(Excerpt.of(code)) is not known: no country has this code (ISO "
                + "3166-1). Did you mean '\(usual)'?"
        )
    }

    private static func unknown(
        _ value: String,
        _ field: String,
        _ reason: String,
        _ known: [String]
    ) -> Rejection {
        let question = NearestNames(to: value, among: known).question.map { " \($0)" } ?? ""
        return Rejection(
            .unknownValue,
            field: field,
            sentence: "\(field) \(Excerpt.of(value)) is not known: \(reason).\(question)"
        )
    }
}

extension DetailChange {
    /// The value to set; `nil` if there is none.
    fileprivate var value: Value? {
        guard case .set(let value) = self else { return nil }
        return value
    }
}
