import TripTracking

/// Why stored views cannot be gone on with: they are made anew from the log.
struct StaleViews: Error {
    /// What is wrong with them, as a sentence without a full stop.
    let sentence: String

    /// There are none.
    static let missing = StaleViews(sentence: "there are no views yet")

    /// They are of another log.
    static let unknownEntry = StaleViews(
        sentence: "the views know an entry that the log does not have"
    )

    /// They are of another version.
    static let anotherVersion = StaleViews(
        sentence: "the views were made by another version of ledger"
    )

    /// What is stored is not what was written.
    static func damaged(_ what: String) -> StaleViews {
        StaleViews(sentence: "the views are damaged: \(what)")
    }

    /// Runs `body` and takes unreadable state for damaged views.
    static func takingDamage<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StateError {
            throw StaleViews.damaged("a state is \(error)")
        }
    }
}
