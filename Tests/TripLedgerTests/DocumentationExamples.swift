import TripLedger

// The examples of documentation comments and of the page *Use the library*, as they stand there.

/// The example of `Ledger.append`.
func appendFix(to ledger: Ledger, now: Timestamp) throws -> [Receipt] {
    let fix = FixRecorded(latitude: 51.927, longitude: 4.362, accuracy: 10)
    let event = TripEvent(source: "phone", occurredAt: now, body: .fixRecorded(fix))
    let receipts = try ledger.append([event], now: now)
    return receipts
}

/// The example of `Ledger.decide`.
func editLastTrip(in ledger: Ledger, now: EventTime) throws -> DecisionOutcome {
    var edit = TripEdit()
    edit.purpose = .set("Roof inspection")
    let outcome = try ledger.decide(.edit(.last, edit), by: "Eva", now: now)
    print(outcome.changes.map(\.field))
    return outcome
}

/// The example of `DecisionRequest`.
func voidLastTrip(in ledger: Ledger, now: EventTime) throws -> DecisionOutcome {
    let line = #"{"type":"trip_voided","trip":"last","why":"On the ferry all the time"}"#
    let request = try DecisionRequest(json: Array(line.utf8), now: now.timestamp)
    let outcome = try ledger.decide([request], now: now)[0]
    return outcome
}

/// The example of `Ledger.read`.
func readTogether(from ledger: Ledger) throws -> (trips: [TripRow], places: PlaceBook) {
    let (trips, places) = try ledger.read { snapshot in
        (try snapshot.trips(), try snapshot.places())
    }
    return (trips, places)
}

/// The example of the page.
func readTotals(
    of period: LocalPeriod,
    from ledger: Ledger
) throws -> (totals: TotalsTable, places: PlaceBook) {
    let (totals, places) = try ledger.read { snapshot in
        (try snapshot.totals(by: .month, in: period), try snapshot.places())
    }
    return (totals, places)
}

/// The example of `Snapshot`.
func printStatus(of ledger: Ledger, now: Timestamp) throws {
    try ledger.read { snapshot in
        let status = try snapshot.status(asOf: now)
        print("\(status.sources.count) sources at \(snapshot.head.root)")
    }
}

/// The example of `Snapshot.readTrips`.
func printTrips(of snapshot: borrowing Snapshot) throws {
    try snapshot.readTrips { trip in
        print(trip.trip.id, trip.trip.distance)
        return true
    }
}

/// The example of `ReportRequest`.
func writeRequest() throws -> ReportRequest {
    var request = ReportRequest(.log)
    request.year = 2025
    request.vehicle = "van"
    let again = try ReportRequest(json: request.json)
    return again
}
