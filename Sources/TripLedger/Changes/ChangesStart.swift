public import TripEvents

/// From where on the changes of a ledger are looked at.
public enum ChangesStart: Hashable, Sendable {
    /// After so many entries.
    case size(UInt64)

    /// After the entries of a head that somebody kept; the log must begin with them.
    case head(LedgerHead)

    /// From the first entry on that the ledger stored at an instant or later.
    case instant(Timestamp)
}
