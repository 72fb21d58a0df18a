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

/// The countries of the world by their codes.
package enum Countries {
    /// Their codes in small letters, in alphabetical order (ISO 3166-1, alpha-2).
    package static let codes = """
        ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo \
        bq br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj \
        dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp \
        gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg \
        kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml \
        mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe \
        pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl \
        sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um \
        us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw
        """
        .split(separator: " ").map(String.init)

    /// Codes that people take for those of countries, with the right ones.
    static let usualMistakes = ["uk": "gb", "el": "gr", "en": "gb"]
}
