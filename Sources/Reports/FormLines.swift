public import Geodesy
public import Projections
public import TripEvents

/// A line of a form, or a figure that a jurisdiction asks for, of one vehicle in one year.
public struct FormLine: Hashable, Sendable {
    /// What stands in it.
    public enum Value: Hashable, Sendable {
        /// A distance, with what is printed of it.
        case distance(YearSummary.Figures)

        /// A distance that an odometer showed or went.
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

    /// What it is.
    public let label: String

    /// What stands in it.
    public let value: Value

    /// What a reader should know.
    public let note: String?

    init(
        _ label: String,
        _ value: Value,
        form: String? = nil,
        line: String? = nil,
        note: String? = nil
    ) {
        self.form = form
        self.line = line
        self.label = label
        self.value = value
        self.note = note
    }
}

/// What a jurisdiction asks about a vehicle in a year, as figures and never as advice.
public struct FormLines {
    private static let fromMemory = "number of the line from memory, not verified"
    private static let question = "a question that only you can answer"

    /// Trips that are neither for business nor on the way to work.
    private static let others: [TripClass] = [.personal, .medical, .charity, .moving]

    private let group: YearSummary.Group
    private let vehicle: RegisteredVehicle?
    private let readings: [OdometerReading]
    private let localDay: LocalDay

    /// Joins what is known of a vehicle in a year.
    ///
    /// - Parameters:
    ///   - group: its trips.
    ///   - vehicle: what people registered.
    ///   - readings: what its odometer showed in that year, in order of time.
    ///   - localDay: on which day each was read.
    public init(
        _ group: YearSummary.Group,
        vehicle: RegisteredVehicle?,
        readings: [OdometerReading],
        localDay: LocalDay
    ) {
        self.group = group
        self.vehicle = vehicle
        self.readings = readings
        self.localDay = localDay
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
    private var privateTrips: YearSummary.Figures { group.figures(of: Self.others) }

    /// What is neither business nor commute: the rest of the total.
    private var rest: YearSummary.Figures {
        group.figures(of: TripClass.allCases.filter { $0 != .business && $0 != .commute })
    }

    private func share(_ figures: YearSummary.Figures) -> FormLine.Value {
        guard total.distance > .zero else { return .unknown }
        return .share(Int64((figures.distance.meters / total.distance.meters * 1_000).rounded()))
    }

    /// Trips that are not classified, or whose class does not say: in no other line.
    private var open: [FormLine] {
        let open = group.figures(of: [.mixed, .unclassified])
        guard open.trips > 0 else { return [] }
        return [
            FormLine(
                "mixed and unclassified",
                .distance(open),
                note: "classify these trips: no line counts them as business"
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
            _ number: String,
            _ label: String,
            _ value: FormLine.Value,
            _ note: String? = nil
        ) -> FormLine {
            FormLine(label, value, form: form, line: number, note: note)
        }
        let memory = Self.fromMemory
        return [
            line(schedule, "43", "date placed in service", inService),
            line(schedule, "44a", "business", .distance(group[.business])),
            line(schedule, "44b", "commuting", .distance(group[.commute])),
            line(schedule, "44c", "other", .distance(rest), "with what is not classified"),
            line(schedule, "45", "available off duty", .unknown, Self.question),
            line(schedule, "46", "another vehicle", .unknown, Self.question),
            line(schedule, "47a", "evidence", .unknown, Self.question),
            line(schedule, "47b", "written evidence", .unknown, Self.question),
            line(listed, "24a", "evidence", .unknown, memory),
            line(listed, "24b", "written evidence", .unknown, memory),
            line(listed, "30", "business", .distance(group[.business]), memory),
            line(listed, "31", "commuting", .distance(group[.commute]), memory),
            line(listed, "32", "other personal", .distance(rest), memory),
            line(listed, "33", "total", .distance(total), memory),
            line(listed, "34", "available off duty", .unknown, memory),
            line(listed, "35", "used by an owner of more than 5 %", .unknown, memory),
            line(listed, "36", "another vehicle", .unknown, memory),
        ] + open
    }

    private var unitedKingdom: [FormLine] {
        [
            FormLine("business", .distance(group[.business])),
            FormLine("commuting", .distance(group[.commute]), note: "no business journey"),
            FormLine("private", .distance(privateTrips)), FormLine("total", .distance(total)),
        ] + open
    }

    private func canada(_ months: [YearSummary.Group]) -> [FormLine] {
        var lines = [
            FormLine("business", .distance(group[.business])),
            FormLine("total", .distance(total)),
            FormLine("business use", share(group[.business])),
        ]
        lines += odometerLines
        // A sample of three months stands for the year if it is near it: both as they are.
        for quarter in 1...4 {
            let own = months.filter { (($0.month ?? 1) - 1) / 3 == quarter - 1 }
            let all = own.reduce(into: YearSummary.Figures()) { $0 += $1.figures() }
            let business = own.reduce(into: YearSummary.Figures()) { $0 += $1[.business] }
            guard all.distance > .zero else { continue }
            let part = business.distance.meters / all.distance.meters * 1_000
            lines.append(
                FormLine(
                    "business use, quarter \(quarter)",
                    .share(Int64(part.rounded())),
                    note: "three months as a sample: compare with the year's and the base year's"
                )
            )
        }
        return lines + open
    }

    private var netherlands: [FormLine] {
        let limit = Distance(millimeters: 500_000_000)
        return [
            FormLine("private", .distance(privateTrips), note: "at most 500 km in a calendar year"),
            FormLine(
                "left of 500 km",
                .odometer(limit - privateTrips.distance),
                note: "less than nothing: over the limit"
            ),
            FormLine(
                "business, with commuting",
                .distance(group.figures(of: [.business, .commute]))
            ),
            FormLine("total", .distance(total)),
        ] + odometerLines + open
    }

    private var germany: [FormLine] {
        [
            FormLine("business", .distance(group[.business])),
            FormLine("business share", share(group[.business])),
            FormLine("home to work", .distance(group[.commute])),
            FormLine("home to work share", share(group[.commute])),
            FormLine("private", .distance(privateTrips)),
            FormLine("private share", share(privateTrips)), FormLine("total", .distance(total)),
        ] + odometerLines + open
    }

    private var australia: [FormLine] {
        let days = group.lastDay.daysSince1970 - group.firstDay.daysSince1970 + 1
        return [
            FormLine("business", .distance(group[.business])),
            FormLine("total", .distance(total)),
            FormLine("business use", share(group[.business])),
            FormLine("first day", .day(group.firstDay)), FormLine("last day", .day(group.lastDay)),
            FormLine(
                "whole weeks",
                .count(Int64(days / 7)),
                note: "a logbook has at least 12 weeks without a break"
            ),
        ] + odometerLines + open
    }

    private var france: [FormLine] {
        [
            FormLine("business", .distance(group[.business]), note: "d of the barème"),
            FormLine("home to work", .distance(group[.commute])),
            FormLine("total", .distance(total)),
        ] + open
    }

    /// What the odometer showed first and last in the year.
    private var odometerLines: [FormLine] {
        guard let first = readings.first, let last = readings.last else {
            return [FormLine("odometer", .unknown, note: "not read in this year")]
        }
        return [
            FormLine("odometer, first", .odometer(first.distance), note: dayText(first)),
            FormLine("odometer, last", .odometer(last.distance), note: dayText(last)),
        ]
    }

    private func dayText(_ reading: OdometerReading) -> String {
        "read on \(localDay.day(of: reading.readAt))"
    }
}
