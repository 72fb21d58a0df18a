import TripLedger

/// Books a trip of an hour from paper, and says what became of it and which trips there are.
func bookTrip(of meters: ExactDecimal, at start: Timestamp, in path: FilePath) throws -> [String] {
    let ledger = try Ledger.create(at: path, settings: LedgerSettings(), now: start)
    defer { ledger.close() }
    let end = start.advanced(byMilliseconds: 3_600_000)
    let report = TripReported(
        startedAt: EventTime(start),
        endedAt: EventTime(end),
        distanceMeters: meters
    )
    let event = TripEvent(source: "paper", occurredAt: end, body: .tripReported(report))
    let receipts = try ledger.append([event], now: end)
    let trips = try ledger.read { snapshot in try snapshot.trips() }
    return receipts.map { "\($0)" } + trips.map { "\($0.trip.distance.millimeters) mm" }
}
