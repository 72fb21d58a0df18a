public import DriveSimulation
public import TripEvents

/// People who decide anything about some trips, at any time.
public struct RandomDecisions {
    /// A trip that they know of.
    public struct Known {
        /// The trip's id.
        public var id: TripID

        /// When it started.
        public var startedAt: Timestamp

        /// Creates a trip.
        public init(id: TripID, startedAt: Timestamp) {
            self.id = id
            self.startedAt = startedAt
        }
    }

    private let trips: [Known]
    private let instants: [Timestamp]

    /// Creates people who know some trips, and decide at some instants.
    ///
    /// Some of the trips may have gone, and instants repeat so that ties happen.
    public init(trips: [Known], instants: [Timestamp]) {
        self.trips = trips
        self.instants = instants
    }

    /// Returns a decision.
    public func next(using random: inout SplitMix64) -> TripEvent {
        let sources = ["manual", "phone"]
        return TripEvent(
            source: sources[Int.random(in: 0...1, using: &random)],
            occurredAt: instants.randomElement(using: &random) ?? Timestamp(milliseconds: 0),
            utcOffset: UTCOffset(minutes: Int.random(in: -2...2, using: &random) * 60),
            sequence: Bool.random(using: &random) ? UInt64.random(in: 0...9, using: &random) : nil,
            actor: Bool.random(using: &random) ? "Eva" : nil,
            body: body(using: &random)
        )
    }

    private func body(using random: inout SplitMix64) -> EventBody {
        let trip = trips.randomElement(using: &random)
        let id = trip?.id ?? TripID(high: 0, low: 0)
        let startedAt = Bool.random(using: &random) ? trip.map { EventTime($0.startedAt) } : nil
        let routine = ["Office", "School run"].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<19, using: &random) {
        case 0..<3: return .detailsEdited(edit(id, startedAt, using: &random))
        case 3: return .routineSaved(saving(of: routine, using: &random))
        case 4: return .routineRemoved(RoutineRemoved(routine: routine))
        case 5, 6:
            return .routineApplied(
                RoutineApplied(trip: id, tripStartedAt: startedAt, routine: routine)
            )
        case 7, 8:
            let count = Int.random(in: 1...2, using: &random)
            let others = trips.shuffled(using: &random).prefix(count).map(\.id)
            return .tripsMerged(TripsMerged(trips: [id] + others, why: "one way"))
        case 9:
            let splitAt = (trip?.startedAt ?? Timestamp(milliseconds: 0))
                .advanced(byMilliseconds: Int64.random(in: -1...600, using: &random) * 1_000)
            return .tripSplit(
                TripSplit(trip: id, tripStartedAt: startedAt, splitAt: EventTime(splitAt))
            )
        case 10: return .tripVoided(TripVoided(trip: id, tripStartedAt: startedAt, why: "no trip"))
        case 11: return .tripRestored(TripRestored(trip: id, tripStartedAt: startedAt))
        case 12: return .tripReported(report(using: &random))
        case 13...15: return matter(using: &random)
        case 16: return .goPressed(GoPressed(routine: routine))
        case 17:
            let start = trip?.startedAt ?? Timestamp(milliseconds: 0)
            let from = start.advanced(
                byMilliseconds: Int64.random(in: -60...600, using: &random) * 1_000
            )
            let to = from.advanced(
                byMilliseconds: Int64.random(in: 1...600, using: &random) * 1_000
            )
            return .stretchExcluded(
                StretchExcluded(
                    trip: id,
                    tripStartedAt: startedAt,
                    from: EventTime(from),
                    to: EventTime(to),
                    why: "ferry"
                )
            )
        default:
            return .distanceAdjusted(
                DistanceAdjusted(
                    trip: id,
                    tripStartedAt: startedAt,
                    distanceMeters: meters(&random),
                    why: "odometer"
                )
            )
        }
    }

    /// Returns something about a place or a vehicle.
    private func matter(using random: inout SplitMix64) -> EventBody {
        let name = ["Home", "van"].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<6, using: &random) {
        case 5: return .fieldDefined(FieldDefined(key: "gate", label: "Gate", valueType: .text))
        case 4: return .expenseRecorded(expense(of: name, using: &random))
        case 0: return .placeRemoved(PlaceRemoved(place: name))
        case 1: return .vehicleRegistered(VehicleRegistered(vehicle: name, plate: "A-1"))
        case 2:
            let value = meters(&random)
            return .odometerRead(OdometerRead(vehicle: name, value: value, unit: .kilometers))
        default:
            let isAtTrips = Bool.random(using: &random)
            return .placeSaved(
                PlaceSaved(
                    place: name,
                    latitude: isAtTrips
                        ? (name == "Home" ? 51.9 : 51.8) : number(decimals: 7, using: &random),
                    longitude: isAtTrips ? 4.4 : number(decimals: 7, using: &random),
                    radiusMeters: isAtTrips ? 50 : meters(&random),
                    skips: Bool.random(using: &random)
                )
            )
        }
    }

    private func expense(
        of vehicle: String,
        using random: inout SplitMix64
    ) -> ExpenseRecorded {
        var expense = ExpenseRecorded(
            kind: ExpenseKind.allCases.randomElement(using: &random) ?? .toll,
            amount: meters(&random),
            currency: "EUR"
        )
        expense.vehicle = vehicle
        return expense
    }

    private func edit(
        _ id: TripID,
        _ startedAt: EventTime?,
        using random: inout SplitMix64
    ) -> DetailsEdited {
        var edit = DetailsEdited(trip: id, tripStartedAt: startedAt)
        let values = ["a", "b"].map(DetailChange.set) + [.cleared, .unchanged]
        edit.title = values.randomElement(using: &random) ?? .unchanged
        edit.purpose = values.randomElement(using: &random) ?? .unchanged
        edit.client = values.randomElement(using: &random) ?? .unchanged
        edit.vehicle = values.randomElement(using: &random) ?? .unchanged
        if Bool.random(using: &random) {
            edit.tripClass =
                TripClass.allCases.randomElement(using: &random).map { .set($0) }
                ?? .cleared
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            edit.mode =
                TravelMode.allCases.randomElement(using: &random).map { .set($0) } ?? .cleared
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let words =
                ["Home", "van", "51.9, 4.4"].map(DetailChange.set) + [.cleared, .unchanged]
            edit.origin = words.randomElement(using: &random) ?? .unchanged
            edit.destination = words.randomElement(using: &random) ?? .unchanged
        }
        if Bool.random(using: &random) {
            edit.fields = ["gate": Bool.random(using: &random) ? .boolean(true) : .null]
        }
        return edit
    }

    private func details(_ random: inout SplitMix64) -> TripDetails {
        TripDetails(
            title: Bool.random(using: &random) ? "routine" : nil,
            client: Bool.random(using: &random) ? "ACME" : nil,
            tripClass: Bool.random(using: &random) ? .business : nil,
            mode: Bool.random(using: &random) ? .rail : nil,
            fields: Bool.random(using: &random) ? ["gate": .text("B"), "seat": .null] : nil
        )
    }

    private func saving(of routine: String, using random: inout SplitMix64) -> RoutineSaved {
        let details = details(&random)
        return RoutineSaved(routine: routine, details: details, pattern: pattern(using: &random))
    }

    /// Returns to which trips a routine applies by itself: often to none.
    private func pattern(using random: inout SplitMix64) -> TripPattern {
        guard Int.random(in: 0..<3, using: &random) > 0 else { return TripPattern() }
        let ends = ["Home", "van"].shuffled(using: &random)
        let days = Weekday.allCases.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        return TripPattern(
            from: Bool.random(using: &random) ? ends[0] : nil,
            to: ends[1],
            goesBothWays: [true, false, nil].randomElement(using: &random) ?? nil,
            days: days.count < 6 && !days.isEmpty ? days : nil,
            since: Bool.random(using: &random)
                ? trips.randomElement(using: &random).map { EventTime($0.startedAt) } : nil
        )
    }

    private func report(using random: inout SplitMix64) -> TripReported {
        let startedAt = trips.randomElement(using: &random)?.startedAt ?? Timestamp(milliseconds: 0)
        var report = TripReported(
            startedAt: EventTime(startedAt),
            endedAt: EventTime(startedAt.advanced(byMilliseconds: 1_800_000)),
            origin: "Home",
            destination: ["van", "elsewhere"].randomElement(using: &random),
            distanceMeters: meters(&random),
            details: details(&random)
        )
        if Bool.random(using: &random) {
            (report.toLatitude, report.toLongitude) = (51.8, 4.4)
        }
        return report
    }

    private func meters(_ random: inout SplitMix64) -> ExactDecimal {
        number(decimals: 4, using: &random)
    }

    /// Returns a number of at most eight digits.
    private func number(decimals: Int, using random: inout SplitMix64) -> ExactDecimal {
        let significand = Int64.random(in: 0...99_999_999, using: &random)
        guard let number = ExactDecimal(significand: significand, decimals: decimals) else {
            preconditionFailure("eight digits are a number")
        }
        return number
    }
}
