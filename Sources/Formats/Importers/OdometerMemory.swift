import TripEvents

/// Makes odometer readings of the values that trackers send with every position: only the first
/// value of each UTC day becomes one, which is enough to check trips.
///
/// Only the input's records of a day decide which reading is the first, so a longer file gives the
/// same readings. Readings without a vehicle are passed over.
struct OdometerMemory {
    private let vehicle: String?

    /// The days for which a source has reported the odometer, as numbers of days since 1970.
    private var days: [NameKey: Set<Int64>] = [:]

    init(_ options: ImportOptions) {
        vehicle = options.vehicle
    }

    /// Adds a reading, if it is the first of its day.
    ///
    /// - Parameters:
    ///   - value: The odometer's reading; one that is not above zero is ignored.
    ///   - thousands: How many powers of a thousand of it make a kilometre: 1 for metres.
    ///   - named: The vehicle, if the input names it.
    ///   - source: The source.
    ///   - time: When it was read.
    ///   - record: The record that it stands in.
    ///   - batch: Gets the event.
    mutating func note(
        _ value: ScaledDecimal?,
        thousands: Int = 1,
        vehicle named: String? = nil,
        of source: String,
        at time: PreciseTime,
        record: Int,
        into batch: inout ImportBatch
    ) {
        guard let value, value.significand > 0,
            let kilometers = ScaledDecimal(
                magnitude: value.significand.magnitude,
                decimals: Int(value.decimals) + 3 * thousands,
                isNegative: false
            )
        else { return }
        let (whole, rest) = time.time.timestamp.milliseconds
            .quotientAndRemainder(dividingBy: Timestamp.millisecondsPerDay)
        let day = rest < 0 ? whole - 1 : whole
        guard days[NameKey(source), default: []].insert(day).inserted else { return }
        guard let vehicle = vehicle ?? named else {
            return batch.ignore("odometer", record: record)
        }
        var draft = batch.begin(.odometerRead, of: source, at: time)
        batch.add("vehicle", text: vehicle, to: &draft)
        batch.add("value", kilometers, to: &draft)
        batch.add("unit", text: DistanceUnit.kilometers.rawValue, to: &draft)
        batch.add("method", text: OdometerMethod.imported.rawValue, to: &draft)
        batch.end(draft, record: record)
    }
}
