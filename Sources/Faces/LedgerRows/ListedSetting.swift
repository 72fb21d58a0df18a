import Projections
package import Tables
package import TripEvents
package import TripLedger

/// A setting of the ledger as it is now, or as it will be from a time on.
package struct ListedSetting: Tabular, Sendable {
    /// The value, with its start and the person who set it; without a value if nothing is set.
    private let saying: SettingsBook.Saying?

    private let name: SettingName

    /// Whether it holds only from a future time on.
    private let isToCome: Bool

    /// Returns each setting as it is at an instant, in the order of their catalogue, and after it
    /// its values from later times on; of sources, those that are seen.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package static func all(
        in snapshot: borrowing Snapshot,
        at instant: Timestamp
    ) throws(LedgerError) -> [ListedSetting] {
        let book = snapshot.settings
        let ofLedger = SettingName.allCases.filter { $0 != .driver }
            .flatMap { name in
                let now = ListedSetting(
                    saying: book.saying(of: name, at: instant),
                    name: name,
                    isToCome: false
                )
                let later = book.sayings(of: name)
                    .filter { ($0.since?.timestamp ?? instant) > instant }
                    .map { ListedSetting(saying: $0, name: name, isToCome: true) }
                return [now] + later
            }
        var ofSources: [ListedSetting] = []
        for saying in book.driverSayings(at: instant) {
            if !snapshot.sight.isEverything, let source = saying.source {
                guard try snapshot.seesSource(named: source) else { continue }
            }
            ofSources.append(ListedSetting(saying: saying, name: .driver, isToCome: false))
        }
        return ofLedger + ofSources
    }

    /// The key that distinguishes it from others in a list.
    package var key: String {
        [name.rawValue, saying?.source, saying?.since.map { RFC3339.text($0.timestamp) }]
            .compactMap(\.self)
            .joined(separator: " ")
    }

    /// The columns: `setting.v1.schema.json`.
    package static let columns = Columns<ListedSetting> {
        Column.name("setting", "SETTING") { $0.name.rawValue }.identifying
        Column.text("applies_to", "SOURCE") { $0.saying?.source }.optional
        Column.text("value", "VALUE") { $0.saying?.value }
        Column.time("since", "SINCE") { $0.saying?.since }
        Column.text("actor", "BY") { $0.saying?.actor }
        Column.boolean("to_come", "TO COME") { $0.isToCome ? true : nil }.optional
    }
}
