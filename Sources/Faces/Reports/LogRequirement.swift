public import TripEvents

/// Something that a jurisdiction asks of a mileage log.
public struct LogRequirement: Hashable, Sendable {
    /// The subject of a requirement.
    public enum Subject: Hashable, CaseIterable, Sendable {
        /// The date of each trip.
        case date

        /// The distance of each trip.
        case distance

        /// Where each trip started.
        case start

        /// Where each trip ended.
        case end

        /// The address where each trip started.
        case startAddress

        /// The address where each trip ended.
        case endAddress

        /// The destination.
        case destination

        /// The destination as a city, town or area.
        case destinationTown

        /// The destination as an address.
        case destinationAddress

        /// The odometer at both ends of each trip.
        case odometers

        /// The odometer at both ends of all but private trips.
        case odometersButPrivate

        /// The client whom a business trip was for.
        case client

        /// Commuting and private trips apart from business.
        case classesApart

        /// The vehicle of each trip.
        case vehicle

        /// The route where it is not the usual one.
        case route

        /// The private part of a business trip.
        case privatePart

        /// The odometer where the period begins and ends.
        case readingsOfPeriod

        /// The odometer where the year begins and ends.
        case readingsOfYear

        /// The purpose.
        case purpose

        /// The business purpose.
        case businessPurpose

        /// The day on which the vehicle was placed in service.
        case inService

        /// The day from which on the vehicle is at the driver's disposal.
        case atDisposalSince

        /// Entries at or near the time, or in a weekly log.
        case timelyOrWeekly

        /// Entries near the time.
        case timely

        /// Entries within seven days.
        case withinSevenDays

        /// Entries at the end of the journey or soon after.
        case atTheEnd

        /// The purpose within seven days.
        case purposeWithinSevenDays

        /// Make and type of the vehicle.
        case makeAndType

        /// Make and model of the vehicle.
        case makeAndModel

        /// The licence plate.
        case plate

        /// The registration.
        case registration

        /// Every trip, private ones too.
        case everyTrip

        /// There and back as two trips.
        case thereAndBack

        /// Later changes visible, and not to be hidden.
        case changesVisible

        /// The engine's capacity.
        case engineCapacity

        /// At least 12 weeks without a break.
        case twelveWeeks

        /// The fiscal horsepower of each vehicle.
        case fiscalPower
    }

    /// A remark for the reader of a requirement.
    public enum Remark: Hashable, CaseIterable, Sendable {
        /// `ledger track` has it.
        case trackHasIt

        /// Trips of class mixed do not say how much.
        case mixedSaysNotHowMuch

        /// `ledger report reconcile` compares.
        case compareOdometers

        /// It concerns merged trips, and those that end where they began.
        case mergedTrips

        /// `ledger report changes` lists them.
        case changesAreListed

        /// A vehicle that is not registered as electric counts as not electric.
        case notElectricUnlessRegistered
    }

    /// How strictly it is required; the raw value is the name in JSON.
    public enum Level: String, Sendable {
        case required
        case recommended
    }

    /// The state of the requirement in the ledger; the raw value is the name in JSON.
    public enum State: String, Sendable {
        case met
        case missing
        case cannotTell = "cannot_tell"
    }

    /// A fact about a vehicle.
    enum Datum: Hashable, Sendable {
        case plate
        case makeAndModel
        case inService

        /// The fiscal power of a vehicle whose rates go by it.
        case fiscalPower

        /// The size of the engine of a vehicle that has one.
        case engine
    }

    /// How it is checked.
    enum Test: Hashable, Sendable {
        /// A state that does not depend on the trips.
        case fixed(State)

        /// The ledger records it of every trip.
        case recordedOfEveryTrip

        /// No trip is concerned by some checks; those that others concern leave it open. Trips of
        /// some classes are not asked for it.
        case trips(
            [CompletenessCheck],
            open: [CompletenessCheck] = [],
            but: Set<TripClass> = []
        )

        /// Something is registered of each vehicle.
        case vehicles(Datum)

        /// Odometers were read where the period begins and ends.
        case readings

        /// Neither an unrecorded way nor an odometer shows that a trip is missing.
        case everyTrip

        /// The log of each vehicle covers so many weeks, from its first day with a trip or reading
        /// to its last; without a break, as far as these days tell.
        case weeks(Int)
    }

    /// Its name in JSON.
    public let name: String

    /// The subject of a requirement.
    public let subject: Subject

    /// How strictly.
    public let level: Level

    /// A remark for the reader.
    public let remark: Remark?

    let test: Test

    /// The command that helps if it is missing or undecided; `nil` if none does.
    var help: String? {
        switch name {
        case "purpose", "timely_purpose": "ledger edit TRIP --purpose TEXT"
        case "client": "ledger edit TRIP --client NAME"
        case "commute_apart", "timely": "ledger inbox"
        case "vehicle": "ledger edit TRIP --vehicle NAME"
        case "odometer", "readings": "ledger odometer VEHICLE NUMBER"
        case "start", "end":
            switch subject {
            case .startAddress, .endAddress, .destinationAddress:
                "ledger place save NAME --address TEXT"
            case .start: "ledger edit TRIP --origin TEXT"
            default: "ledger edit TRIP --destination TEXT"
            }
        case "plate": "ledger vehicle register NAME --plate TEXT"
        case "make_and_model": "ledger vehicle register NAME --make TEXT --model TEXT"
        case "in_service": "ledger vehicle register NAME --in-service-since DAY"
        case "fiscal_power": "ledger vehicle register NAME --fiscal-power CV"
        case "engine": "ledger vehicle register NAME --engine-cc CM3"
        case "every_trip": "ledger report reconcile"
        case "route": "ledger track TRIP"
        default: nil
        }
    }

    init(
        _ name: String,
        _ subject: Subject,
        _ level: Level,
        _ test: Test,
        _ remark: Remark? = nil
    ) {
        self.name = name
        self.subject = subject
        self.level = level
        self.remark = remark
        self.test = test
    }
}

extension LogRequirement {
    /// Returns the requirements of a jurisdiction, according to its published rules and its courts.
    public static func all(of jurisdiction: LogJurisdiction) -> [LogRequirement] {
        let common = [
            LogRequirement("date", .date, .required, .recordedOfEveryTrip),
            LogRequirement("distance", .distance, .required, .recordedOfEveryTrip),
        ]
        return common + particular(of: jurisdiction)
    }

    private static func purpose(_ subject: Subject) -> LogRequirement {
        LogRequirement(
            "purpose",
            subject,
            .required,
            .trips([.noPurpose], open: [.unclassified])
        )
    }

    /// Where trips started; of private trips, most ask only how far they went.
    private static func start(
        _ level: Level,
        _ subject: Subject = .start,
        but classes: Set<TripClass> = [.personal]
    ) -> LogRequirement {
        let open: CompletenessCheck =
            subject == .startAddress ? .noStartAddress : .startPositionOnly
        return LogRequirement(
            "start",
            subject,
            level,
            .trips([.noStart], open: [open], but: classes)
        )
    }

    /// Where trips ended; of private trips, most ask only how far they went.
    private static func end(
        _ level: Level,
        _ subject: Subject,
        but classes: Set<TripClass> = [.personal]
    ) -> LogRequirement {
        let isAddress = subject == .destinationAddress || subject == .endAddress
        let open: CompletenessCheck = isAddress ? .noEndAddress : .endPositionOnly
        return LogRequirement("end", subject, level, .trips([.noEnd], open: [open], but: classes))
    }

    private static func odometer(_ level: Level) -> LogRequirement {
        LogRequirement(
            "odometer",
            .odometers,
            level,
            .trips([.noOdometer])
        )
    }

    private static func timely(_ level: Level, _ subject: Subject) -> LogRequirement {
        LogRequirement(
            "timely",
            subject,
            level,
            .trips([.lateEntry], open: [.unclassified])
        )
    }

    private static func client(_ level: Level) -> LogRequirement {
        LogRequirement(
            "client",
            .client,
            level,
            .trips([.noClient], open: [.unclassified])
        )
    }

    private static let classified = LogRequirement(
        "commute_apart",
        .classesApart,
        .required,
        .trips([.unclassified], open: [.mixed])
    )

    private static let vehicleNamed = LogRequirement(
        "vehicle",
        .vehicle,
        .required,
        .trips([.noVehicle])
    )

    private static let route = LogRequirement(
        "route",
        .route,
        .required,
        .fixed(.cannotTell),
        .trackHasIt
    )

    private static let privatePart = LogRequirement(
        "private_part",
        .privatePart,
        .required,
        .fixed(.cannotTell),
        .mixedSaysNotHowMuch
    )

    private static let readings = LogRequirement(
        "readings",
        .readingsOfPeriod,
        .required,
        .readings
    )

    private static func vehicle(
        _ datum: Datum,
        _ name: String,
        _ subject: Subject
    ) -> LogRequirement {
        LogRequirement(name, subject, .required, .vehicles(datum))
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
            end(.required, .destinationTown),
            purpose(.businessPurpose), odometer(.required), start(.recommended),
            client(.recommended), classified, vehicleNamed,
            vehicle(.inService, "in_service", .inService),
            LogRequirement(
                "readings",
                .readingsOfYear,
                .recommended,
                .readings
            ),
            timely(.required, .timelyOrWeekly),
        ]
    }

    private static var unitedKingdom: [LogRequirement] {
        [
            start(.required, .startAddress), end(.required, .endAddress),
            purpose(.businessPurpose), odometer(.recommended), client(.recommended),
            classified, timely(.required, .timely),
        ]
    }

    private static var canada: [LogRequirement] {
        [
            end(.required, .destination), purpose(.purpose), classified,
            odometer(.recommended), client(.recommended), readings,
            timely(.required, .timely),
        ]
    }

    private static var netherlands: [LogRequirement] {
        [
            odometer(.required), start(.required, .startAddress, but: []),
            end(.required, .endAddress, but: []), route, classified, privatePart,
            vehicle(.makeAndModel, "make_and_model", .makeAndType),
            vehicle(.plate, "plate", .plate),
            vehicle(.inService, "in_service", .atDisposalSince),
            LogRequirement(
                "every_trip",
                .everyTrip,
                .required,
                .everyTrip,
                .compareOdometers
            ),
            LogRequirement(
                "there_and_back",
                .thereAndBack,
                .required,
                .trips([.merged, .endsWhereItBegan], open: [.noStart, .noEnd]),
                .mergedTrips
            ),
        ]
    }

    private static var germany: [LogRequirement] {
        [
            LogRequirement(
                "odometer",
                .odometersButPrivate,
                .required,
                .trips([.noOdometer], but: [.personal])
            ),
            // Of ways to work, a short note is enough.
            end(.required, .destinationAddress, but: [.personal, .commute]), route,
            purpose(.purpose), client(.required), classified, privatePart,
            vehicle(.plate, "plate", .plate),
            timely(.required, .withinSevenDays),
            LogRequirement(
                "timely_purpose",
                .purposeWithinSevenDays,
                .required,
                .trips([.latePurpose], open: [.noPurpose, .unclassified])
            ),
            LogRequirement(
                "changes_visible",
                .changesVisible,
                .required,
                .fixed(.met),
                .changesAreListed
            ),
        ]
    }

    private static var australia: [LogRequirement] {
        [
            odometer(.required), purpose(.purpose),
            end(.recommended, .end), client(.recommended), classified,
            vehicle(.makeAndModel, "make_and_model", .makeAndModel),
            vehicle(.plate, "plate", .registration),
            vehicle(.engine, "engine", .engineCapacity),
            readings,
            LogRequirement(
                "weeks",
                .twelveWeeks,
                .required,
                .weeks(12)
            ),
            timely(.required, .atTheEnd),
        ]
    }

    private static var france: [LogRequirement] {
        [
            start(.required), end(.required, .end),
            purpose(.purpose), client(.recommended), classified,
            LogRequirement(
                "fiscal_power",
                .fiscalPower,
                .required,
                .vehicles(.fiscalPower),
                .notElectricUnlessRegistered
            ),
        ]
    }
}
