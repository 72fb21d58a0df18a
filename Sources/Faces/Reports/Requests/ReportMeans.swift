package import Papers
package import Rates
package import Tables
package import TripEvents
package import TripLedger

/// The means to make the bytes of a report, beside its request and a snapshot.
///
/// The asker does not choose them, so that the same request gives the same bytes: all but the style
/// of a screen are the same everywhere.
package struct ReportMeans {
    /// How wide a screen is and whether lines are set off on it; bytes that are kept depend on no
    /// screen.
    package var screen = TextStyle()

    /// The report that is made again, whose rates count; `nil` for one that is made now.
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

    /// The days that it is about; `nil` if these have no first or no last one.
    package var days: ClosedRange<CivilDate>?

    /// The table of the program that it goes by, if it goes by rates.
    package var table: RateTable?
}
