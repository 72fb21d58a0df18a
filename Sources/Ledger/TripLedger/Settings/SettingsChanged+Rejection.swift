import Projections
import TripEvents

// The values that settings may have: those that this program and this machine know. Events that are
// appended as such are stored whatever they say, because these values change with time; those with
// an unknown value have no effect until it is known.
extension SettingsChanged {
    /// The languages in which reports are written (ISO 639-1).
    package static let languages = ["de", "en", "fr", "nl"]

    /// Why the settings may not be decided, or `nil` if they may.
    var rejection: Rejection? { unknownValue(TimeZoneRules.reason(against:))?.rejection }

    /// Returns the first value that is not known, or `nil` if all are.
    ///
    /// - Parameter reason: Returns why a time zone cannot be used, as a sentence without a full
    ///   stop; `nil` if it can.
    /// - Returns: The value.
    func unknownValue(_ reason: (String) -> String?) -> UnknownSetting? {
        timeZone.flatMap { zone in reason(zone).map { UnknownSetting(timeZone: zone, $0) } }
            ?? language.value.flatMap(Self.unknown(language:))
            ?? country.value.flatMap(Self.unknown(country:))
    }

    private static func unknown(language tag: String) -> UnknownSetting? {
        let parts = tag.split(separator: "-").map(String.init)
        guard let language = parts.first, languages.contains(language) else {
            let known = languages.joined(separator: ", ")
            return UnknownSetting(.language, tag, "reports are written in \(known)", languages)
        }
        guard let region = parts.dropFirst().first?.lowercased(), !Countries.codes.contains(region)
        else { return nil }
        let reason = "no country has the code \(region)"
        return UnknownSetting(.language, tag, reason, Countries.codes)
    }

    private static func unknown(country code: String) -> UnknownSetting? {
        guard !Countries.codes.contains(code) else { return nil }
        let reason = "no country has this code (ISO 3166-1)"
        guard let usual = Countries.usualMistakes[code] else {
            return UnknownSetting(.country, code, reason, Countries.codes)
        }
        return UnknownSetting(.country, code, reason, hint: "Did you mean '\(usual)'?")
    }
}

/// A value of a setting that is not known here.
struct UnknownSetting {
    private let name: SettingName

    /// What is wrong, as a sentence without a full stop.
    private let cause: String

    /// Finds what to do, as a sentence; it may look at all that is known.
    private let hint: () -> String?

    /// Creates one of a time zone, with the reason.
    fileprivate init(timeZone zone: String, _ reason: String) {
        name = .timeZone
        cause = "\(name.rawValue) \(Excerpt.of(zone)) cannot be used: \(reason)"
        hint = {
            do throws(LedgerError) {
                _ = try TimeZoneRules.ofMachine(named: zone)
                return nil
            } catch {
                return error.hint + (error.hint.hasSuffix("?") ? "" : ".")
            }
        }
    }

    /// Creates one of another setting, with the reason.
    fileprivate init(
        _ name: SettingName,
        _ value: String,
        _ reason: String,
        hint: @autoclosure @escaping () -> String?
    ) {
        self.name = name
        self.hint = hint
        cause = "\(name.rawValue) \(Excerpt.of(value)) is not known: \(reason)"
    }

    /// Creates one of another setting, with the reason and the values that are known.
    fileprivate init(_ name: SettingName, _ value: String, _ reason: String, _ known: [String]) {
        self.init(name, value, reason, hint: NearestNames(to: value, among: known).question)
    }

    /// Why it may not be decided.
    fileprivate var rejection: Rejection {
        Rejection(
            .unknownValue,
            field: name.rawValue,
            sentence: "\(cause)." + (hint().map { " \($0)" } ?? "")
        )
    }

    /// Why it has no effect.
    var obstacle: DecisionObstacle { .isUnknownValue(cause) }
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
