import ArgumentParser

/// The option of reports that name single trips, and so may be copies for an employer.
struct PrivacyOption: ParsableArguments {
    /// What is shown of private trips.
    enum PrivateTrips: String, CaseIterable, ExpressibleByArgument {
        case all
        case kmOnly = "km-only"
    }

    @Option(
        help: """
            What is shown of private trips: all, or km-only, without places, times and what people \
            wrote.
            """
    )
    var privateAs = PrivateTrips.all

    /// Whether a report leaves out all but the days and kilometres of private trips.
    var hidesPrivate: Bool { privateAs == .kmOnly }
}
