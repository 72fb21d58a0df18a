public import Geodesy
public import Projections
public import TripEvents

/// A line of a form, or a figure that a jurisdiction asks for, of one vehicle in one year.
public struct FormLine: Hashable, Sendable {
    /// The meaning of a line.
    public enum Label: Hashable, Sendable {
        /// The distance for business.
        case business

        /// The distance to and from work.
        case commuting

        /// All other distance.
        case other

        /// All other personal distance.
        case otherPersonal

        /// The distance of private trips.
        case privateTrips

        /// The whole distance.
        case total

        /// The day on which the vehicle was placed in service.
        case inService

        /// Whether it was available off duty.
        case availableOffDuty

        /// Whether there is another vehicle.
        case anotherVehicle

        /// Whether there is evidence.
        case evidence

        /// Whether the evidence is written.
        case writtenEvidence

        /// Whether an owner of more than 5 % uses it.
        case usedByOwner

        /// Several questions, which nothing in a ledger can answer.
        case together([Label])

        /// The distance that no other line has.
        case mixedAndUnclassified

        /// The share of business.
        case businessUse

        /// What is left of 500 km of private use.
        case leftOfLimit

        /// The part of the odometer's rest that belongs to private trips.
        case privateRest

        /// The distance on the odometer that no trip recorded.
        case onNoTrip

        /// What is left of 500 km of private use, by the odometer.
        case leftByOdometer

        /// The distance for business, and to and from work.
        case businessWithCommuting

        /// The share of business in the distance.
        case businessShare

        /// The distance between home and work.
        case homeToWork

        /// The share of that in the distance.
        case homeToWorkShare

        /// The share of private trips in the distance.
        case privateShare

        /// The first day with a trip.
        case firstDay

        /// The last day with a trip.
        case lastDay

        /// How many whole weeks lie between them.
        case wholeWeeks

        /// The odometer's reading.
        case odometer

        /// The longest time without a reading after one of them, in days.
        case odometerInterval

        /// The odometer's first reading in the year.
        case firstOdometer

        /// Its last reading in the year.
        case lastOdometer

        /// The share of business in a quarter, from 1 to 4.
        case businessUseOfQuarter(Int)
    }

    /// A note for the reader of a line.
    public enum Note: Hashable, Sendable {
        /// It includes trips without a class.
        case withUnclassified

        /// Only the driver knows.
        case onlyYouCanAnswer

        /// Trips that people should classify.
        case classifyThese

        /// It is no business journey.
        case noBusinessJourney

        /// Three months stand for the year as a sample.
        case sampleOfThreeMonths

        /// The limit of a calendar year.
        case atMost500

        /// A negative figure is above the limit.
        case lessThanNothing

        /// Readings and trips differ by so little that it is spread over the trips.
        case spreadOverTrips

        /// It counts as private unless the driver shows what it was.
        case privateUnlessShown

        /// At least every two months is asked for.
        case readMoreOften

        /// How long a logbook is kept at least.
        case twelveWeeks

        /// It is the `d` of the barème.
        case distanceOfBareme

        /// The odometer was not read in the year.
        case notRead

        /// The odometer was read on a day.
        case readOn(CivilDate)
    }

    /// The value of the line.
    public enum Value: Hashable, Sendable {
        /// A distance, with its printed value.
        case distance(YearSummary.Figures)

        /// A reading of an odometer, or a distance on it.
        case odometer(Distance)

        /// A part of a whole, in thousandths.
        case share(Int64)

        /// A day.
        case day(CivilDate)

        /// A number.
        case count(Int64)

        /// Only the driver can say.
        case unknown
    }

    /// The form; `nil` where there is none.
    public let form: String?

    /// The line of the form; `nil` where it has none.
    public let line: String?

    /// The meaning of the line.
    public let label: Label

    /// The value of the line.
    public let value: Value

    /// A note for the reader.
    public let note: Note?

    init(
        _ label: Label,
        _ value: Value,
        form: String? = nil,
        line: String? = nil,
        note: Note? = nil
    ) {
        self.form = form
        self.line = line
        self.label = label
        self.value = value
        self.note = note
    }
}

/// The figures that a jurisdiction asks for about a vehicle in a year; never advice.
public struct FormLines {
    private static let question = FormLine.Note.onlyYouCanAnswer

    /// Trips that are neither for business nor on the way to work.
    static let privateClasses: [TripClass] = [.personal, .medical, .charity, .moving]

    private let group: YearSummary.Group
    private let vehicle: RegisteredVehicle?
    private let readings: [OdometerReading]
    private let odometerRest: PrivateRest
    private let localDay: LocalDay
    private let lastDay: CivilDate?
    private let hasAllPrivateUse: Bool

    /// Joins the facts about a vehicle in a year.
    ///
    /// - Parameters:
    ///   - group: its trips.
    ///   - vehicle: what people registered.
    ///   - readings: what its odometer showed in that year, in order of time.
    ///   - rest: the private part of the distance by which its odometer exceeds its trips on the
    ///     same days.
    ///   - localDay: on which day each was read.
    ///   - lastDay: the last day of that year that has come: the time from the last reading to it
    ///     counts as an interval; `nil` to look only at intervals between readings.
    ///   - hasAllPrivateUse: whether all private use of that year is included, with none on other
    ///     days or by other vehicles or drivers; otherwise no line says what is left of a person's
    ///     limit.
    public init(
        _ group: YearSummary.Group,
        vehicle: RegisteredVehicle?,
        readings: [OdometerReading],
        rest: PrivateRest = PrivateRest(),
        localDay: LocalDay,
        until lastDay: CivilDate? = nil,
        hasAllPrivateUse: Bool = true
    ) {
        self.group = group
        self.vehicle = vehicle
        self.readings = readings
        odometerRest = rest
        self.localDay = localDay
        self.lastDay = lastDay
        self.hasAllPrivateUse = hasAllPrivateUse
    }

    /// Returns the lines of a jurisdiction, in their order.
    ///
    /// - Parameters:
    ///   - jurisdiction: whose.
    ///   - months: the months of the vehicle in that year, in order.
    /// - Returns: the lines.
    public func lines(
        for jurisdiction: LogJurisdiction,
        months: [YearSummary.Group]
    ) -> [FormLine] {
        switch jurisdiction {
        case .us: unitedStates
        case .gb: unitedKingdom
        case .ca: canada(months)
        case .nl: netherlands
        case .de: germany
        case .au: australia
        case .fr: france
        }
    }

    private var total: YearSummary.Figures { group.figures() }
    private var privateTrips: YearSummary.Figures { group.figures(of: Self.privateClasses) }

    /// The figures that are neither business nor commute: the rest of the total.
    private var rest: YearSummary.Figures {
        group.figures(of: TripClass.allCases.filter { $0 != .business && $0 != .commute })
    }

    private func share(_ figures: YearSummary.Figures) -> FormLine.Value {
        guard total.distance > .zero else { return .unknown }
        return .share(Int64((figures.distance.meters / total.distance.meters * 1_000).rounded()))
    }

    /// Trips without a class, or whose class leaves it open: they are in no other line.
    private var open: [FormLine] {
        let open = group.figures(of: [.mixed, .unclassified])
        guard open.trips > 0 else { return [] }
        return [
            FormLine(
                .mixedAndUnclassified,
                .distance(open),
                note: .classifyThese
            )
        ]
    }

    private var inService: FormLine.Value {
        vehicle?.registration.inServiceSince.map { .day($0) } ?? .unknown
    }

    private var unitedStates: [FormLine] {
        let schedule = "Schedule C, Part IV"
        let listed = "Form 4562, Part V"
        func line(
            _ form: String,
            _ number: String?,
            _ label: FormLine.Label,
            _ value: FormLine.Value,
            _ note: FormLine.Note? = nil
        ) -> FormLine {
            FormLine(label, value, form: form, line: number, note: note)
        }
        let asked: [FormLine.Label] = [
            .availableOffDuty, .anotherVehicle, .evidence, .writtenEvidence,
        ]
        // No copy of the second form was available, so its lines have only names, no numbers.
        return [
            line(schedule, "43", .inService, inService),
            line(schedule, "44a", .business, .distance(group[.business])),
            line(schedule, "44b", .commuting, .distance(group[.commute])),
            line(schedule, "44c", .other, .distance(rest), .withUnclassified),
            line(schedule, "45–47b", .together(asked), .unknown, Self.question),
            line(listed, nil, .business, .distance(group[.business])),
            line(listed, nil, .commuting, .distance(group[.commute])),
            line(listed, nil, .otherPersonal, .distance(rest)),
            line(listed, nil, .total, .distance(total)),
            line(listed, nil, .together(asked + [.usedByOwner]), .unknown, Self.question),
        ] + open
    }

    private var unitedKingdom: [FormLine] {
        [
            FormLine(.business, .distance(group[.business])),
            FormLine(.commuting, .distance(group[.commute]), note: .noBusinessJourney),
            FormLine(.privateTrips, .distance(privateTrips)), FormLine(.total, .distance(total)),
        ] + open
    }

    private func canada(_ months: [YearSummary.Group]) -> [FormLine] {
        var lines = [
            FormLine(.business, .distance(group[.business])),
            FormLine(.total, .distance(total)),
            FormLine(.businessUse, share(group[.business])),
        ]
        lines += odometerLines
        // A sample of three months stands for the year if it is near the year's share; both are
        // shown unchanged.
        for quarter in 1...4 {
            let own = months.filter { (($0.month ?? 1) - 1) / 3 == quarter - 1 }
            let all = own.reduce(into: YearSummary.Figures()) { $0 += $1.figures() }
            let business = own.reduce(into: YearSummary.Figures()) { $0 += $1[.business] }
            guard all.distance > .zero else { continue }
            let part = business.distance.meters / all.distance.meters * 1_000
            lines.append(
                FormLine(
                    .businessUseOfQuarter(quarter),
                    .share(Int64(part.rounded())),
                    note: .sampleOfThreeMonths
                )
            )
        }
        return lines + open
    }

    private var netherlands: [FormLine] {
        let left = Distance(millimeters: 500_000_000) - privateTrips.distance
        func lineOfLeft(_ label: FormLine.Label, _ left: Distance) -> FormLine {
            FormLine(label, .odometer(left), note: left < .zero ? .lessThanNothing : nil)
        }
        var lines = [FormLine(.privateTrips, .distance(privateTrips), note: .atMost500)]
        if hasAllPrivateUse { lines.append(lineOfLeft(.leftOfLimit, left)) }
        if odometerRest != PrivateRest() {
            lines += [
                FormLine(.privateRest, .odometer(odometerRest.spread), note: .spreadOverTrips),
                FormLine(.onNoTrip, .odometer(odometerRest.unrecorded), note: .privateUnlessShown),
            ]
            if hasAllPrivateUse {
                lines.append(lineOfLeft(.leftByOdometer, left - odometerRest.total))
            }
        }
        lines += [
            FormLine(
                .businessWithCommuting,
                .distance(group.figures(of: [.business, .commute]))
            ),
            FormLine(.total, .distance(total)),
        ]
        return lines + odometerLines + odometerInterval + open
    }

    /// The longest time without a reading, where it is longer than the Dutch tax office lets an
    /// odometer go without a correction: two months (Handboek Loonheffingen, as others quote it).
    ///
    /// The time since the last reading counts too.
    private var odometerInterval: [FormLine] {
        var days = zip(readings, readings.dropFirst())
            .map { reading, next in
                next.readAt.timestamp.milliseconds(since: reading.readAt.timestamp)
                    / Timestamp.millisecondsPerDay
            }
        if let last = readings.last, let lastDay {
            let read = localDay.daysSince1970(of: last.readAt)
            days.append(Int64(lastDay.daysSince1970 - read))
        }
        guard let longest = days.max(), longest > 62 else { return [] }
        return [FormLine(.odometerInterval, .count(longest), note: .readMoreOften)]
    }

    private var germany: [FormLine] {
        [
            FormLine(.business, .distance(group[.business])),
            FormLine(.businessShare, share(group[.business])),
            FormLine(.homeToWork, .distance(group[.commute])),
            FormLine(.homeToWorkShare, share(group[.commute])),
            FormLine(.privateTrips, .distance(privateTrips)),
            FormLine(.privateShare, share(privateTrips)), FormLine(.total, .distance(total)),
        ] + odometerLines + open
    }

    private var australia: [FormLine] {
        let days = group.lastDay.daysSince1970 - group.firstDay.daysSince1970 + 1
        return [
            FormLine(.business, .distance(group[.business])),
            FormLine(.total, .distance(total)),
            FormLine(.businessUse, share(group[.business])),
            FormLine(.firstDay, .day(group.firstDay)), FormLine(.lastDay, .day(group.lastDay)),
            FormLine(
                .wholeWeeks,
                .count(Int64(days / 7)),
                note: .twelveWeeks
            ),
        ] + odometerLines + open
    }

    private var france: [FormLine] {
        [
            FormLine(.business, .distance(group[.business]), note: .distanceOfBareme),
            FormLine(.homeToWork, .distance(group[.commute])),
            FormLine(.total, .distance(total)),
        ] + open
    }

    /// The odometer's first and last readings in the year.
    private var odometerLines: [FormLine] {
        guard let first = readings.first, let last = readings.last else {
            return [FormLine(.odometer, .unknown, note: .notRead)]
        }
        return [
            FormLine(
                .firstOdometer,
                .odometer(first.distance),
                note: .readOn(localDay.day(of: first.readAt))
            ),
            FormLine(
                .lastOdometer,
                .odometer(last.distance),
                note: .readOn(localDay.day(of: last.readAt))
            ),
        ]
    }
}
