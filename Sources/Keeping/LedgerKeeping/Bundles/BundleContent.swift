package import TripEvents
import TripLedger

/// What a bundle has beside the evidence.
package struct BundleContent {
    /// What it is made for.
    package var question: BundleQuestion

    /// The bytes of the reports, in the order of ``BundleQuestion/reportFiles``.
    package var reports: [[UInt8]]

    /// Pages made from them, by their names: for people, and checked by nothing but their hashes.
    package var prints: [(name: String, bytes: [UInt8])] = []

    /// Their first and last day.
    package var days: ClosedRange<CivilDate>

    /// The program's table whose rates the reports use, as an event would carry it; `nil` if they
    /// use none.
    package var rates: RatesLoaded?

    /// Describes what a bundle has beside the evidence.
    package init(
        question: BundleQuestion,
        reports: [[UInt8]],
        days: ClosedRange<CivilDate>,
        rates: RatesLoaded?
    ) {
        self.question = question
        self.reports = reports
        self.days = days
        self.rates = rates
    }
}

/// What was made again from the evidence of a bundle.
package struct RemadeBundle {
    /// All that the bundle has to hold.
    package var content: BundleContent

    /// The result of comparing the rates that the reports use with the known rates.
    package var rates: VerifyOutcome

    /// Describes what was made again.
    package init(_ content: BundleContent, rates: VerifyOutcome) {
        self.content = content
        self.rates = rates
    }
}
