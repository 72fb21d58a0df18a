package import Papers
package import Rates
package import Tables
package import TripEvents
package import TripLedger

/// The means to make the bytes of a report, beside its request and a snapshot.
///
/// The requester does not choose them, so the same request gives the same bytes: only the style of
/// a screen may differ.
package struct ReportMeans {
    /// The width of a screen, and whether it shows emphasis; bytes that are kept do not depend on a
    /// screen.
    package var screen = TextStyle()

    /// The issued report that is made again with its own rates; `nil` for a new report.
    package var issued: ReportIssued?

    /// Makes the code of a head, which stands on every page of a document.
    package var code: (LedgerHead) -> Document.Code? = { _ in nil }

    /// Prints a document as PDF.
    package var print: (Document) throws -> [UInt8]

    /// Receives the rates that a report uses, some of which may be unreadable.
    package var noting: (LoadedRates) -> Void = { _ in }

    /// Creates the means of bytes that are kept.
    ///
    /// - Parameter print: Prints a document as PDF.
    package init(print: @escaping (Document) throws -> [UInt8]) {
        self.print = print
    }
}

/// Remarks beside a report.
package struct ReportRemarks {
    /// The trips that go on and are not counted.
    package var unfinished = UnfinishedTrips()

    /// The days of the report; `nil` if they have no first or no last day.
    package var days: ClosedRange<CivilDate>?

    /// The program's table that it uses, if it uses rates.
    package var table: RateTable?
}
