public import Geodesy
public import TripEvents

/// How much of the distance of each vehicle was for business, day by day.
public struct BusinessUse: Sendable {
    /// The share of business in a distance.
    public struct Share: Hashable, Sendable {
        /// The distance for business.
        public fileprivate(set) var business = Distance.zero

        /// The whole distance.
        public fileprivate(set) var total = Distance.zero

        /// Business in thousandths of the whole, rounded half up; `nil` for no distance.
        public var thousandths: Int64? {
            guard total > .zero else { return nil }
            let twice = 2_000 * Int128(business.millimeters) + Int128(total.millimeters)
            return Int64(twice / (2 * Int128(total.millimeters)))
        }
    }

    private let businessClasses: [TripClass]
    private var days: [[UInt8]: [CivilDate: Share]] = [:]

    /// Creates the use of no vehicle.
    ///
    /// - Parameter jurisdiction: the jurisdiction that defines business: in the Netherlands
    ///   commuting is business, too.
    public init(for jurisdiction: LogJurisdiction) {
        businessClasses = jurisdiction == .nl ? [.business, .commute] : [.business]
    }

    /// Adds a trip by its line in a mileage log; one that names no vehicle is left out.
    public mutating func add(_ line: MileageLine) {
        guard let vehicle = line.vehicle else { return }
        var share = days[Array(vehicle.utf8)]?[line.date] ?? Share()
        share.total += line.distance
        if businessClasses.contains(line.tripClass) { share.business += line.distance }
        days[Array(vehicle.utf8), default: [:]][line.date] = share
    }

    /// Whether trips of a class are for business.
    public func isBusiness(_ tripClass: TripClass) -> Bool {
        businessClasses.contains(tripClass)
    }

    /// The vehicles in order of their names, byte by byte.
    public var vehicles: [String] {
        days.keys.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the share of business of a vehicle over some days.
    public func share(
        of vehicle: String,
        on isIncluded: (CivilDate) -> Bool = { _ in true }
    ) -> Share {
        var sum = Share()
        for (day, share) in days[Array(vehicle.utf8)] ?? [:] where isIncluded(day) {
            sum.business += share.business
            sum.total += share.total
        }
        return sum
    }

    /// Returns the first day of a vehicle, from a day on.
    public func firstDay(of vehicle: String, from first: CivilDate) -> CivilDate? {
        days[Array(vehicle.utf8)]?.keys.filter { $0 >= first }.min()
    }
}

/// The share of business over a part of a year that may stand for the whole.
public struct UseSample: Hashable, Sendable {
    /// The part; the raw value is its name in JSON.
    public enum Part: String, Sendable {
        /// The whole year.
        case year

        /// Three months of the calendar.
        case quarter

        /// The first seven days of each month.
        case firstWeeks = "first_weeks"

        /// Twelve weeks without a break.
        case twelveWeeks = "twelve_weeks"

        /// The year to which a sample is compared.
        case baseYear = "base_year"

        /// The same three months of that year.
        case baseQuarter = "base_quarter"

        /// The share of the base year, times that of the sample, divided by that of the base
        /// quarter.
        case projected
    }

    /// The vehicle.
    public let vehicle: String

    /// The part.
    public let part: Part

    /// The days in which it lies.
    public let days: ClosedRange<CivilDate>

    /// The distance for business and the whole one; `nil` if it follows from other shares.
    public let use: BusinessUse.Share?

    /// The share of business in thousandths; `nil` if it cannot be told.
    public let thousandths: Int64?
}

extension BusinessUse {
    /// Returns the samples of a vehicle that a jurisdiction knows, the whole year first.
    ///
    /// In the United States the first week of each month or three months may stand for the year
    /// (Temp. Reg. 1.274-5T(c)(3)(ii)); in Canada three months, beside a base year; in Australia
    /// at least twelve weeks.
    ///
    /// - Parameters:
    ///   - vehicle: the vehicle.
    ///   - jurisdiction: whose samples.
    ///   - year: the days of the year.
    ///   - baseYear: the days of the year with which Canada's samples are compared.
    /// - Returns: the samples.
    public func samples(
        of vehicle: String,
        for jurisdiction: LogJurisdiction,
        in year: ClosedRange<CivilDate>,
        baseYear: ClosedRange<CivilDate>? = nil
    ) -> [UseSample] {
        func sample(
            _ part: UseSample.Part,
            _ days: ClosedRange<CivilDate>,
            where isIncluded: (CivilDate) -> Bool = { _ in true }
        ) -> UseSample {
            let use = share(of: vehicle) { days.contains($0) && isIncluded($0) }
            return UseSample(
                vehicle: vehicle,
                part: part,
                days: days,
                use: use,
                thousandths: use.thousandths
            )
        }
        var samples = [sample(.year, year)]
        switch jurisdiction {
        case .us:
            samples.append(sample(.firstWeeks, year) { $0.day <= 7 })
            samples += Self.quarters(of: year).map { sample(.quarter, $0) }
        case .ca:
            let quarters = Self.quarters(of: year)
            samples += quarters.map { sample(.quarter, $0) }
            guard let baseYear else { return samples }
            let base = sample(.baseYear, baseYear)
            samples.append(base)
            for (quarter, days) in zip(quarters, Self.quarters(of: baseYear)) {
                let old = sample(.baseQuarter, days)
                samples.append(old)
                samples.append(projected(base, old, sample(.quarter, quarter)))
            }
        case .au:
            guard let first = firstDay(of: vehicle, from: year.lowerBound),
                year.contains(first)
            else { return samples }
            let last = CivilDate(daysSince1970: first.daysSince1970 + 12 * 7 - 1)
            samples.append(sample(.twelveWeeks, first...last))
        case .gb, .nl, .de, .fr: break
        }
        return samples
    }

    /// Returns the base year's share projected by a sample: base year × quarter ÷ base quarter.
    private func projected(
        _ base: UseSample,
        _ old: UseSample,
        _ new: UseSample
    ) -> UseSample {
        var share: Int64?
        if let year = base.thousandths, let before = old.thousandths, before > 0,
            let now = new.thousandths
        {
            share = (2 * year * now + before) / (2 * before)
        }
        return UseSample(
            vehicle: base.vehicle,
            part: .projected,
            days: new.days,
            use: nil,
            thousandths: share
        )
    }

    /// The quarters of a calendar year; none of other years.
    private static func quarters(of year: ClosedRange<CivilDate>) -> [ClosedRange<CivilDate>] {
        guard year.lowerBound.month == 1, year.lowerBound.day == 1 else { return [] }
        let starts = [1, 4, 7, 10]
            .compactMap { CivilDate(year: year.lowerBound.year, month: $0, day: 1) }
        let ends = starts.dropFirst().map { CivilDate(daysSince1970: $0.daysSince1970 - 1) }
        return zip(starts, ends + [year.upperBound]).map { $0...$1 }
    }
}
