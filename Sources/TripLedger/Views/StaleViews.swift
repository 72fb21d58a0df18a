import RowCoding
import TripTracking

/// Why stored views cannot be gone on with: they are made anew from the log.
struct StaleViews: Error, Equatable {
    /// What is wrong with them, as a sentence without a full stop.
    let sentence: String

    /// There are none.
    static let missing = StaleViews(sentence: "there are no views yet")

    /// They are of another log.
    static let unknownEntry = StaleViews(
        sentence: "the views know an entry that the log does not have"
    )

    /// They show something else than this program's views would.
    static let anotherVersion = StaleViews(
        sentence: "the views were made by another version of ledger"
    )

    /// They may still show what is gone from the log.
    static let erased = StaleViews(sentence: "entries were erased that the views have read")

    /// What is stored is not what was written.
    static func damaged(_ what: String) -> StaleViews {
        StaleViews(sentence: "the views are damaged: \(what)")
    }

    /// Runs `body` and takes unreadable state for damaged views.
    static func takingDamage<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as RowCodingError {
            throw StaleViews.damaged("a state is \(error)")
        }
    }
}
