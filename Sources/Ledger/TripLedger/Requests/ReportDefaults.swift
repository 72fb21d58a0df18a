import Projections
public import TripEvents

/// The values for a report where its request says nothing: the settings of the ledger.
///
/// They come from here alone. A request that was completed by them holds their values, so that
/// later settings do not change a report that was handed out.
public struct ReportDefaults: Hashable, Sendable {
    /// The time zone in which trips count that have no offset of their own.
    public var timeZone: String

    /// The unit of distances.
    public var units: DistanceUnit

    /// The language of text and documents.
    public var language: Language

    /// The paper of documents; `nil` for that of the jurisdiction.
    public var paper: PaperSize?

    /// The country whose rates, forms and paper are meant: two small letters; `nil` for none.
    public var country: String?

    /// Returns the paper where a jurisdiction is meant, or none.
    package func paper(of jurisdiction: String?) -> PaperSize {
        paper ?? (["us", "ca"].contains(jurisdiction ?? country) ? .letter : .a4)
    }
}

extension Snapshot {
    /// Who keeps the ledger at the instant to which time has passed; `nil` if no one is named.
    package var keeper: String? { settings.keeper(at: passedTo) }

    /// Returns what holds at an instant for reports where their request says nothing.
    public func reportDefaults(at instant: Timestamp) -> ReportDefaults {
        ReportDefaults(
            timeZone: settings.timeZone(at: instant),
            units: settings.units(at: instant),
            // For de-AT, German; other languages have no reports.
            language: settings.language(at: instant)
                .flatMap { Language(rawValue: String($0.prefix { $0 != "-" })) } ?? .en,
            paper: settings.paper(at: instant),
            country: settings.country(at: instant)
        )
    }
}
