import TripEvents

extension RateRow {
    /// Reads a row of a rate table.
    ///
    /// - Parameters:
    ///   - value: the row.
    ///   - defaults: the values of members that it does not have.
    ///   - sources: the sources that it may name.
    ///   - place: where it stands, as a sentence says it.
    /// - Throws: ``RateProblem`` if it is not one.
    init(
        _ value: JSONValue,
        defaults: [JSONValue.Member],
        sources: RateSourceList,
        place: String
    ) throws(RateProblem) {
        var members = try RateMembers(value, defaults: defaults, place: place)
        let from = try members.optionalDay("from")
        guard let from else { throw members.problem("\"from\" is missing") }
        id = try members.name("id")
        jurisdiction = try members.name("jurisdiction")
        authority = try members.optionalText("authority")
        scheme = try members.name("scheme")
        region = try members.optionalName("region")
        isByNameOnly = try members.flag("by_name_only")
        classes = try members.choices("classes", of: TripClass.self)
        vehicles = try members.choices("vehicles", of: VehicleKind.self)
        fiscalPower = try Self.range("power_from", "power_to", in: 1...999, from: &members)
        fuels = try members.choices("fuels", of: Fuel.self)
        engine = try Self.range("engine_from", "engine_to", in: 1...99_999, from: &members)
        self.from = from
        to = try members.optionalDay("to")
        let knownFrom = try members.optionalDay("known_from")
        let isAssumed = try members.flag("known_from_assumed")
        self.knownFrom = knownFrom ?? from
        isKnownFromAssumed = isAssumed || knownFrom == nil
        currency = try members.text("currency")
        unit = try members.optionalChoice("unit", of: DistanceUnit.self) ?? .kilometers
        yearStart = try Self.yearStart(from: &members)
        shape = try members.optionalChoice("shape", of: RateShape.self) ?? .flat
        tiers = try RateTier.list(for: shape, from: &members)
        subject = try members.optionalChoice("per", of: RateSubject.self)
        beside = try members.choices("beside", of: ExpenseKind.self)
        most = try Self.most(from: &members)
        confidence = try members.optionalChoice("confidence", of: RateConfidence.self) ?? .own
        self.sources = try sources.sources(members.optionalList("sources") ?? [], place: place)
        note = try members.optionalText("note")
        try members.finish()
        try check(members)
    }

    private static func range(
        _ first: String,
        _ last: String,
        in bounds: ClosedRange<Int64>,
        from members: inout RateMembers
    ) throws(RateProblem) -> ClosedRange<Int>? {
        let least = try members.optionalInteger(first, in: bounds)
        let most = try members.optionalInteger(last, in: bounds)
        guard least != nil || most != nil else { return nil }
        let range = (Int(least ?? bounds.lowerBound), Int(most ?? bounds.upperBound))
        guard range.0 <= range.1 else {
            throw members.problem("\"\(last)\" is less than \"\(first)\"")
        }
        return range.0...range.1
    }

    private static func most(
        from members: inout RateMembers
    ) throws(RateProblem) -> YearlyMost? {
        let amount = try members.optionalDecimal("most_a_year", below: 10_000_000, places: 2)
        let exempt = try members.choices("most_not_for", of: VehicleKind.self)
        guard let amount else {
            guard exempt.isEmpty else {
                throw members.problem("\"most_not_for\" belongs to \"most_a_year\"")
            }
            return nil
        }
        return YearlyMost(amount: amount, exempt: exempt)
    }

    private static func yearStart(
        from members: inout RateMembers
    ) throws(RateProblem) -> YearStart {
        guard let text = try members.optionalText("year_begins") else { return .january }
        guard let start = YearStart(text) else {
            throw members.problem("\"year_begins\" must be a month and a day, such as 04-06")
        }
        return start
    }

    private func check(_ members: RateMembers) throws(RateProblem) {
        if let to, to < from { throw members.problem("\"to\" is before \"from\"") }
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ $0 &- 0x41 < 26 }) else {
            throw members.problem("\"currency\" must be three capital letters, such as EUR")
        }
        guard !classes.isEmpty || shape == .multiplier || shape == .perKilowattHour else {
            throw members.problem("\"classes\" is missing: the classes for which it holds")
        }
        let counts = [RateShape.marginalTiers, .cap, .wholeDistanceBracket, .limit]
        guard counts.contains(shape) == (subject != nil) else {
            throw members.problem(
                subject == nil
                    ? "\"per\" is missing: person or vehicle"
                    : "\"per\" belongs to shapes that count a distance, not to \(shape.rawValue)"
            )
        }
        guard most == nil || shape == .oneWayDayTiers else {
            throw members.problem("\"most_a_year\" belongs to one_way_day_tiers")
        }
        guard shape == .wholeDistanceBracket || shape == .multiplier else { return }
        guard shape == .multiplier || classes.count == 1 && subject == .vehicle else {
            throw members.problem("whole_distance_bracket is for one class, and per vehicle")
        }
        let isWhole =
            yearStart.year(of: from).lowerBound == from
            && to.map { yearStart.year(of: $0).upperBound == $0 } ?? true
        guard isWhole else {
            throw members.problem("a row of \(shape.rawValue) must hold for whole years")
        }
    }
}

extension RateTier {
    /// Reads the tiers of a row, or its only rate.
    fileprivate static func list(
        for shape: RateShape,
        from members: inout RateMembers
    ) throws(RateProblem) -> [RateTier] {
        let list = try members.optionalList("tiers")
        let rate = try members.optionalDecimal("rate", below: 10_000, places: 6)
        let limit = try members.optionalInteger("limit", in: 1...10_000_000)
        let hasLimit = shape == .cap || shape == .limit
        guard hasLimit == (limit != nil) else {
            throw members.problem(
                limit == nil ? "\"limit\" is missing" : "\"limit\" belongs to cap and limit"
            )
        }
        switch shape {
        case .marginalTiers, .oneWayDayTiers, .wholeDistanceBracket:
            guard let list, rate == nil else {
                throw members.problem("\(shape.rawValue) has \"tiers\", and no \"rate\"")
            }
            return try tiers(list, of: shape, members)
        case .limit:
            guard list == nil, rate == nil else {
                throw members.problem("limit has neither \"tiers\" nor \"rate\"")
            }
            return [RateTier(upTo: limit, rate: 0, plus: 0)]
        case .flat, .perPassenger, .cap, .multiplier, .component, .perKilowattHour:
            guard list == nil, let rate else {
                throw members.problem("\(shape.rawValue) has a \"rate\", and no \"tiers\"")
            }
            guard shape != .multiplier || rate.units(places: 4).map({ $0 < 1_000_000 }) == true
            else { throw members.problem("a multiplier is below 100, with at most 4 decimals") }
            return [RateTier(upTo: limit, rate: rate, plus: 0)]
        }
    }

    private static func tiers(
        _ list: [JSONValue],
        of shape: RateShape,
        _ row: RateMembers
    ) throws(RateProblem) -> [RateTier] {
        var tiers: [RateTier] = []
        for value in list {
            var members = try RateMembers(value, place: "a tier")
            let upTo = try members.optionalInteger("up_to", in: 1...10_000_000)
            let rate = try members.optionalDecimal("rate", below: 10_000, places: 6)
            let plus = try members.optionalDecimal("plus", below: 1_000_000, places: 2)
            try members.finish()
            guard let rate else { throw row.problem("a tier has no \"rate\"") }
            guard plus == nil || shape == .wholeDistanceBracket else {
                throw row.problem("\"plus\" belongs to whole_distance_bracket")
            }
            if let last = tiers.last {
                guard let end = last.upTo, end < upTo ?? Int64.max else {
                    throw row.problem("the tiers do not ascend by \"up_to\"")
                }
            }
            tiers.append(RateTier(upTo: upTo, rate: rate, plus: plus ?? 0))
        }
        guard tiers.last.map({ $0.upTo == nil }) == true else {
            throw row.problem("the last tier has no end: leave \"up_to\" out")
        }
        return tiers
    }
}

/// The sources of a rate table by the keys that its rows name them by.
struct RateSourceList {
    private var sources: [NameKey: RateSource] = [:]

    /// A list without sources.
    static let none = RateSourceList()

    private init() {}

    /// Reads the sources of a table.
    init(_ members: [JSONValue.Member]) throws(RateProblem) {
        for member in members {
            let place = "the source \(Excerpt.of(member.name))"
            sources[NameKey(member.name)] = try RateSource(member.value, place: place)
        }
    }

    /// Returns the sources of a row: keys, or sources in full.
    func sources(_ list: [JSONValue], place: String) throws(RateProblem) -> [RateSource] {
        var found: [RateSource] = []
        for value in list {
            guard case .text(let key) = value else {
                found.append(try RateSource(value, place: "a source of \(place)"))
                continue
            }
            guard let source = sources[NameKey(key)] else {
                throw RateProblem(place, "\"sources\" of the table has no \(Excerpt.of(key))")
            }
            found.append(source)
        }
        return found
    }
}

extension RateSource {
    fileprivate init(_ value: JSONValue, place: String) throws(RateProblem) {
        var members = try RateMembers(value, place: place)
        name = try members.text("name")
        url = try members.optionalText("url")
        try members.finish()
    }
}
