package import Rates
package import Tables
package import TripEvents

/// A rate that needs attention, because it ends without a successor or is uncertain:
/// `rate-check.v1.schema.json`.
package struct CheckedRate: Tabular {
    /// The reason why a rate needs attention.
    private enum Check: String {
        /// It ends within 60 days.
        case ends

        /// It has ended, and no other one follows it.
        case ended

        /// It is less than highly sure.
        case unsure
    }

    private let stretch: RateStretch
    private let check: Check
    private let days: Int?

    /// Returns the rates of a book that need attention on a day: first those that end, then those
    /// that are not sure.
    package static func all(
        of book: RateBook,
        jurisdiction: String? = nil,
        on day: CivilDate
    ) -> [CheckedRate] {
        let endings = book.endings(on: day)
            .map { stretch in
                let days = stretch.to.map { $0.daysSince1970 - day.daysSince1970 } ?? 0
                return CheckedRate(stretch: stretch, check: days < 0 ? .ended : .ends, days: days)
            }
        let unsure = book.unsure(on: day)
            .map { CheckedRate(stretch: $0, check: .unsure, days: nil) }
        return (endings + unsure)
            .filter { rate in
                jurisdiction.map { $0 == rate.stretch.row.jurisdiction } ?? true
            }
    }

    /// The columns.
    package static let columns = Columns<CheckedRate> {
        Column.name("id", "RATE") { $0.stretch.row.id }
        Column.name("jurisdiction") { $0.stretch.row.jurisdiction }
        Column.name("check", "CHECK") { $0.check.rawValue }
        Column.day("to", "TO") { $0.stretch.to }
        Column.integer("days", "DAYS") { $0.days.map(Int64.init) }
        Column.name("confidence", "CONFIDENCE") { $0.stretch.row.confidence.rawValue }
        Column.text("table") { $0.stretch.table }
        Column.text("note", "NOTE") { $0.stretch.row.note }
            .narrowing(.leaves(0))
    }
}
