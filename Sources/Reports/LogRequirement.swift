/// Something that a jurisdiction asks of a mileage log.
public struct LogRequirement: Hashable, Sendable {
    /// How strictly it is asked for; the raw value is the name in JSON.
    public enum Level: String, Sendable {
        case required
        case recommended
    }

    /// What the ledger knows of it; the raw value is the name in JSON.
    public enum State: String, Sendable {
        case met
        case missing
        case cannotTell = "cannot_tell"
    }

    /// What is known of a vehicle.
    enum Datum: Hashable, Sendable {
        case plate
        case makeAndModel
        case inService

        /// Of one that has an engine.
        case fiscalPower
    }

    /// How it is found out.
    enum Test: Hashable, Sendable {
        /// Whatever the trips are.
        case fixed(State)

        /// No trip is concerned by one check; those that another one concerns leave it open.
        case trips(CompletenessCheck, open: CompletenessCheck? = nil)

        /// The same for all trips but private ones.
        case tripsNotPrivate(CompletenessCheck)

        /// Something is registered of each vehicle.
        case vehicles(Datum)

        /// Odometers were read where the period begins and ends.
        case readings

        /// The days have so many weeks.
        case weeks(Int)
    }

    /// Its name in JSON.
    public let name: String

    /// What is asked for, in words.
    public let text: String

    /// How strictly.
    public let level: Level

    /// What a reader should know.
    public let remark: String?

    let test: Test

    init(
        _ name: String,
        _ text: String,
        _ level: Level,
        _ test: Test,
        _ remark: String? = nil
    ) {
        self.name = name
        self.text = text
        self.level = level
        self.remark = remark
        self.test = test
    }
}

extension LogRequirement {
    /// Returns what a jurisdiction asks for, as far as its published rules and courts say it.
    public static func all(of jurisdiction: LogJurisdiction) -> [LogRequirement] {
        let common = [
            LogRequirement("date", "the date of each trip", .required, .fixed(.met)),
            LogRequirement("distance", "the distance of each trip", .required, .fixed(.met)),
        ]
        return common + particular(of: jurisdiction)
    }

    private static func purpose(_ text: String) -> LogRequirement {
        LogRequirement("purpose", text, .required, .trips(.noPurpose))
    }

    private static func start(_ level: Level) -> LogRequirement {
        LogRequirement(
            "start",
            "where each trip started",
            level,
            .trips(.noStart, open: .startPositionOnly)
        )
    }

    private static func end(_ level: Level, _ text: String) -> LogRequirement {
        LogRequirement("end", text, level, .trips(.noEnd, open: .endPositionOnly))
    }

    private static func odometer(_ level: Level) -> LogRequirement {
        LogRequirement(
            "odometer",
            "the odometer at the start and the end of each trip",
            level,
            .trips(.noOdometer)
        )
    }

    private static func timely(_ level: Level, _ text: String) -> LogRequirement {
        LogRequirement("timely", text, level, .trips(.lateEntry))
    }

    private static func client(_ level: Level) -> LogRequirement {
        LogRequirement("client", "whom a business trip was to", level, .trips(.noClient))
    }

    private static let classified = LogRequirement(
        "commute_apart",
        "commuting and private trips apart from business",
        .required,
        .trips(.unclassified)
    )

    private static let vehicleNamed = LogRequirement(
        "vehicle",
        "the vehicle of each trip",
        .required,
        .trips(.noVehicle)
    )

    private static let route = LogRequirement(
        "route",
        "the route where it is not the usual one",
        .required,
        .fixed(.cannotTell),
        "`ledger track` has the way of measured trips"
    )

    private static let privatePart = LogRequirement(
        "private_part",
        "private kilometres inside a business trip",
        .required,
        .fixed(.cannotTell),
        "trips of class mixed do not say how much"
    )

    private static let readings = LogRequirement(
        "readings",
        "the odometer where the period begins and ends",
        .required,
        .readings
    )

    private static func vehicle(_ datum: Datum, _ name: String, _ text: String) -> LogRequirement {
        LogRequirement(name, text, .required, .vehicles(datum))
    }

    private static func particular(of jurisdiction: LogJurisdiction) -> [LogRequirement] {
        switch jurisdiction {
        case .us: unitedStates
        case .gb: unitedKingdom
        case .ca: canada
        case .nl: netherlands
        case .de: germany
        case .au: australia
        case .fr: france
        }
    }

    private static var unitedStates: [LogRequirement] {
        [
            end(.required, "the destination: city, town or area"),
            purpose("the business purpose"), odometer(.required), start(.recommended),
            client(.recommended), classified, vehicleNamed,
            vehicle(.inService, "in_service", "the date placed in service"),
            LogRequirement(
                "readings",
                "the odometer where the year begins and ends",
                .recommended,
                .readings
            ),
            timely(.required, "entries at or near the time; a weekly log counts"),
        ]
    }

    private static var unitedKingdom: [LogRequirement] {
        [
            start(.required), end(.required, "where each trip ended"),
            purpose("the business purpose"), odometer(.recommended), client(.recommended),
            classified, timely(.required, "entries near the time"),
        ]
    }

    private static var canada: [LogRequirement] {
        [
            end(.required, "the destination"), purpose("the purpose"), classified,
            odometer(.recommended), client(.recommended), readings,
            timely(.required, "entries near the time"),
        ]
    }

    private static var netherlands: [LogRequirement] {
        [
            odometer(.required), start(.required), end(.required, "where each trip ended"),
            route, classified, privatePart,
            vehicle(.makeAndModel, "make_and_model", "make and type of the vehicle"),
            vehicle(.plate, "plate", "the licence plate"),
            vehicle(.inService, "in_service", "since when it is at your disposal"),
            LogRequirement(
                "every_trip",
                "every trip, private ones too",
                .required,
                .trips(.unrecordedBefore),
                "compare with `ledger report reconcile`"
            ),
            LogRequirement(
                "there_and_back",
                "there and back as two trips",
                .required,
                .trips(.merged),
                "merged trips"
            ),
        ]
    }

    private static var germany: [LogRequirement] {
        [
            LogRequirement(
                "odometer",
                "the odometer at the start and the end, of all but private trips",
                .required,
                .tripsNotPrivate(.noOdometer)
            ),
            end(.required, "the destination: place, street, number"), route,
            purpose("the purpose"), client(.required), classified, privatePart,
            vehicle(.plate, "plate", "the licence plate"),
            timely(.required, "entries within seven days"),
            LogRequirement(
                "timely_purpose",
                "the purpose within seven days",
                .required,
                .trips(.latePurpose)
            ),
            LogRequirement(
                "changes_visible",
                "later changes visible, and not to be hidden",
                .required,
                .fixed(.met),
                "`ledger report changes` lists them"
            ),
        ]
    }

    private static var australia: [LogRequirement] {
        [
            odometer(.required), purpose("the purpose"),
            end(.recommended, "where each trip ended"), client(.recommended), classified,
            vehicle(.makeAndModel, "make_and_model", "make and model of the vehicle"),
            vehicle(.plate, "plate", "the registration"),
            LogRequirement(
                "engine",
                "the engine's capacity",
                .required,
                .fixed(.cannotTell),
                "the ledger does not hold it"
            ),
            readings,
            LogRequirement(
                "weeks",
                "at least 12 weeks without a break",
                .required,
                .weeks(12)
            ),
            timely(.required, "entries at the end of the journey or soon after"),
        ]
    }

    private static var france: [LogRequirement] {
        [
            start(.required), end(.required, "where each trip ended"),
            purpose("the purpose"), client(.recommended), classified,
            LogRequirement(
                "fiscal_power",
                "the fiscal horsepower of each vehicle",
                .required,
                .vehicles(.fiscalPower),
                "one that is not registered as electric counts as not electric"
            ),
        ]
    }
}
