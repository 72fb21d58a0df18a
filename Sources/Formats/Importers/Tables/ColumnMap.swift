import TripEvents

/// The meaning of a table's columns: which of them is the time, which the distance, and in which
/// units they are (`column-map.v1`).
///
/// The owner of a table from an unknown app describes it in a file of JSON. The tables of apps that
/// are known are read by such maps too.
public struct ColumnMap: Sendable {
    /// The kind of rows in the table.
    public enum Rows: String, CaseIterable, Sendable {
        /// A position at a time.
        case fixes

        /// A trip that an app or a person reports, and that was not measured here.
        case trips

        /// Something that was paid: a toll, parking, fuel.
        case expenses
    }

    /// A column, by its name in the header or by its place in the line.
    enum Place: Hashable, Sendable {
        /// The name in the header; case, spaces and marks make no difference.
        case name(String)

        /// The place in the line, from 1.
        case number(Int)
    }

    /// The origin of a field's value.
    struct Column: Hashable, Sendable {
        /// The columns whose texts, with a space between them, are the value; only a time may have
        /// more than one.
        var places: [Place] = []

        /// The value of all rows, if no column has it.
        var constant: String?

        /// The unit of the numbers; `nil` for that of the ledger.
        var unit: Unit?

        /// The meanings of words; other words stand for themselves.
        var words: [String: String] = [:]

        /// The prefix of the text.
        var prefix = ""

        /// Whether the first of the columns that has a text is the value.
        var takesFirst = false
    }

    /// The kind of rows.
    var rows: Rows

    /// The app that wrote the table, as its trips name it; `nil` if it is not named.
    var app: String?

    /// The separator of cells; `nil` to take it from the header.
    var delimiter: UInt8?

    /// The decimal mark; `nil` for a full stop, or for a comma if commas do not separate cells.
    var decimalMark: UInt8?

    /// How times are written; `nil` for ISO 8601, or seconds or milliseconds since 1970.
    var timeFormat: TimePattern?

    /// The time zone of times that name none; `nil` for the one that the user gives.
    var timeZone: String?

    /// Whether times that name no zone are UTC, because the app says so.
    var isUTC = false

    /// Whether a line names the columns.
    var hasHeader = true

    /// The origin of each field's value.
    var columns: [Field: Column] = [:]

    /// Columns that must have one of some values; other rows are skipped.
    var selection: [(place: Place, values: Set<String>)] = []

    /// The name of the time zone that the map gives; `nil` if it gives none.
    public var timeZoneName: String? { timeZone }
}

extension ColumnMap {
    /// The fields that a column can hold; the raw value is the name in maps.
    enum Field: String, CaseIterable, Sendable {
        case source
        case time
        case latitude = "lat"
        case longitude = "lon"
        case accuracy
        case altitude
        case speed
        case course
        case provider
        case mock
        case startedAt = "started_at"
        case endedAt = "ended_at"
        case duration
        case distance
        case origin = "from"
        case destination = "to"
        case originAddress = "from_address"
        case destinationAddress = "to_address"
        case startLatitude = "start_lat"
        case startLongitude = "start_lon"
        case endLatitude = "end_lat"
        case endLongitude = "end_lon"
        case title
        case purpose
        case notes
        case category
        case client
        case tripClass = "class"
        case vehicle
        case driver
        case zone = "time_zone"
        case parking
        case tolls
        case odometerStart = "odometer_start"
        case odometerEnd = "odometer_end"
        case amount
        case currency
        case expenseKind = "kind"
        case trip
        case merchant
        case quantity
        case quantityUnit = "quantity_unit"

        /// Whether rows of a kind may have it.
        func isOf(_ rows: Rows) -> Bool {
            switch self {
            case .source, .zone: true
            case .time: rows == .fixes || rows == .expenses
            case .latitude, .longitude, .accuracy, .altitude, .speed, .course, .provider, .mock:
                rows == .fixes
            case .notes, .vehicle: rows == .trips || rows == .expenses
            case .amount, .currency, .expenseKind, .trip, .merchant, .quantity, .quantityUnit:
                rows == .expenses
            case .startedAt, .endedAt, .duration, .distance, .origin, .destination,
                .startLatitude, .startLongitude, .endLatitude, .endLongitude, .title,
                .purpose, .category, .client, .tripClass, .parking, .tolls, .odometerStart,
                .odometerEnd, .originAddress, .destinationAddress, .driver:
                rows == .trips
            }
        }

        /// Whether it is a time, which may stand in two columns.
        var isTime: Bool { [.time, .startedAt, .endedAt].contains(self) }

        /// Whether it is an angle, whose hemisphere may stand in a column of its own.
        var isAngle: Bool { units.contains(.degrees) }

        /// Whether it is an angle north or south of the equator.
        var isLatitude: Bool { [.latitude, .startLatitude, .endLatitude].contains(self) }

        /// Whether it holds a number.
        var isNumber: Bool { !units.isEmpty || isMoney || self == .course || self == .quantity }

        /// Whether it holds an amount of money.
        var isMoney: Bool { [.parking, .tolls, .amount].contains(self) }

        /// The units that it may be in, that of the ledger first; none if it has no unit.
        var units: [Unit] {
            switch self {
            case .latitude, .longitude, .startLatitude, .startLongitude, .endLatitude,
                .endLongitude:
                [.degrees, .e7]
            case .accuracy, .altitude: [.meters, .feet]
            case .speed: [.metersPerSecond, .kilometersPerHour, .milesPerHour, .knots]
            case .distance: [.meters, .kilometers, .miles, .feet, .nauticalMiles]
            case .odometerStart, .odometerEnd: [.kilometers, .miles]
            case .duration: [.seconds, .minutes, .hours]
            case .source, .time, .course, .provider, .mock, .startedAt, .endedAt, .origin,
                .destination, .title, .purpose, .notes, .category, .client, .tripClass, .vehicle,
                .driver, .originAddress, .destinationAddress, .zone, .parking, .tolls, .amount,
                .currency, .expenseKind, .trip, .merchant, .quantity, .quantityUnit:
                []
            }
        }

        /// Whether its unit must be given: a distance in a column of that name may be in any unit.
        var needsUnit: Bool {
            [.speed, .distance, .odometerStart, .odometerEnd, .duration].contains(self)
        }
    }

    /// The fields without which a row has no meaning.
    static func neededFields(_ rows: Rows) -> [Field] {
        switch rows {
        case .fixes: [.time, .latitude, .longitude]
        case .trips: [.startedAt, .distance]
        case .expenses: [.time, .amount]
        }
    }

    /// A unit of the numbers of a column; the raw value is what maps call it.
    enum Unit: String, CaseIterable, Sendable {
        case degrees = "deg"
        case e7
        case meters = "m"
        case kilometers = "km"
        case miles = "mi"
        case feet = "ft"
        case nauticalMiles = "nmi"
        case metersPerSecond = "m/s"
        case kilometersPerHour = "km/h"
        case milesPerHour = "mph"
        case knots = "kn"
        case seconds = "s"
        case minutes = "min"
        case hours = "h"

        /// The same as others write it, behind a number or in the name of a column.
        static func spelled(_ text: String) -> Unit? {
            let word = text.lowercased()
            return Unit(rawValue: word) ?? units[word]
        }

        private static let units = Dictionary(
            uniqueKeysWithValues: spellings.flatMap { unit, words in words.map { ($0, unit) } }
        )

        private static let spellings: [Unit: [String]] = [
            .meters: ["meter", "meters", "metre", "metres"],
            .kilometers: ["kms", "kilometer", "kilometers", "kilometre", "kilometres"],
            .miles: ["mile", "miles"],
            .feet: ["foot", "feet"],
            .metersPerSecond: ["mps", "ms"],
            .kilometersPerHour: ["kmh", "kph", "kmph"],
            .milesPerHour: ["mi/h"],
            .knots: ["kt", "kts", "knot", "knots"],
            .seconds: ["sec", "secs", "second", "seconds"],
            .minutes: ["mins", "minute", "minutes"],
            .hours: ["hr", "hrs", "hour", "hours"],
        ]

        /// The factor that converts a number to the ledger's unit, as a whole number and its
        /// decimals.
        ///
        /// A mile is 1,609.344 m, a nautical mile 1,852 m, a foot 0.3048 m. Speeds have fractions
        /// without an end: see ``SpeedUnit``.
        fileprivate var factor: (number: Int64, decimals: Int) {
            switch self {
            case .degrees, .meters, .seconds, .metersPerSecond: (1, 0)
            case .e7: (1, 7)
            case .kilometers: (1_000, 0)
            case .miles: (1_609_344, 3)
            case .feet: (3_048, 4)
            case .nauticalMiles: (1_852, 0)
            case .minutes: (60, 0)
            case .hours: (3_600, 0)
            case .kilometersPerHour, .milesPerHour, .knots: (1, 0)
            }
        }

        /// The same for speeds; `nil` if it is not a unit of speed.
        var speed: SpeedUnit? {
            switch self {
            case .metersPerSecond: .metersPerSecond
            case .kilometersPerHour: .kilometersPerHour
            case .milesPerHour: .milesPerHour
            case .knots: .knots
            case .degrees, .e7, .meters, .kilometers, .miles, .feet, .nauticalMiles, .seconds,
                .minutes, .hours:
                nil
            }
        }

        /// Returns a number in the unit of the ledger, with nine decimals at most; `nil` if it is a
        /// negative speed, or has too many digits.
        func converted(_ number: ScaledDecimal) -> ScaledDecimal? {
            if let speed { return speed.metersPerSecond(number) }
            var product = Int128(number.significand.magnitude) * Int128(factor.number)
            var decimals = Int(number.decimals) + factor.decimals
            while decimals > Self.mostDecimals {
                product = decimals == Self.mostDecimals + 1 ? (product + 5) / 10 : product / 10
                decimals -= 1
            }
            return UInt64(exactly: product)
                .flatMap {
                    ScaledDecimal(
                        magnitude: $0,
                        decimals: decimals,
                        isNegative: number.significand < 0
                    )
                }
        }

        private static let mostDecimals = 9
    }
}
