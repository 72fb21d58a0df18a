import TripEvents

// The form of a row in the log, from which the hash of a table is made: the members of
// `rate-table.v1.schema.json` in one order, without those that have no value, on one line.
extension RateRow {
    /// The row as JSON.
    public var json: [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(.object(members), to: &bytes)
        return bytes
    }

    /// Reads a row from its JSON.
    ///
    /// - Throws: ``RateProblem`` if it is not one.
    public init(json: [UInt8], place: String) throws(RateProblem) {
        let value = try JSONValue(rateDocument: json)
        try self.init(value, defaults: [], sources: .none, place: place)
    }

    private var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue?) {
            guard let value else { return }
            members.append(JSONValue.Member(name: name, value: value))
        }
        func add(_ name: String, flag: Bool) { add(name, flag ? .boolean(true) : nil) }
        add("id", .text(id))
        add("jurisdiction", .text(jurisdiction))
        add("authority", authority.map { .text($0) })
        add("scheme", .text(scheme))
        add("region", region.map { .text($0) })
        add("by_name_only", flag: isByNameOnly)
        add("classes", .texts(classes.map(\.rawValue)))
        add("vehicles", .texts(vehicles.map(\.rawValue)))
        add("power_from", fiscalPower.map { .integer($0.lowerBound) })
        add("power_to", fiscalPower.map { .integer($0.upperBound) })
        add("fuels", .texts(fuels.map(\.rawValue)))
        add("engine_from", engine.map { .integer($0.lowerBound) })
        add("engine_to", engine.map { .integer($0.upperBound) })
        add("from", .text(from.description))
        add("to", to.map { .text($0.description) })
        add("known_from", .text(knownFrom.description))
        add("known_from_assumed", flag: isKnownFromAssumed)
        add("currency", .text(currency))
        add("unit", .text(unit.rawValue))
        add("year_begins", .text(yearStart.description))
        add("shape", .text(shape.rawValue))
        switch shape {
        case .marginalTiers, .oneWayDayTiers, .wholeDistanceBracket:
            add("tiers", .list(tiers.map { .object($0.members(hasPlus: shape.hasConstants)) }))
        case .flat, .perPassenger, .multiplier, .component, .cap, .perKilowattHour:
            add("rate", (tiers.first?.rate).map { .text($0.description) })
            add("limit", (tiers.first?.upTo).map { .integer(Int($0)) })
        case .limit:
            add("limit", (tiers.first?.upTo).map { .integer(Int($0)) })
        }
        add("per", subject.map { .text($0.rawValue) })
        add("beside", beside.isEmpty ? nil : .texts(beside.map(\.rawValue)))
        add("most_a_year", (most?.amount).map { .text($0.description) })
        add("most_not_for", .texts(most?.exempt.map(\.rawValue) ?? []))
        add("confidence", .text(confidence.rawValue))
        add("sources", sources.isEmpty ? nil : .list(sources.map(\.value)))
        add("note", note.map { .text($0) })
        return members
    }
}

extension RateShape {
    /// Whether its tiers have constants.
    fileprivate var hasConstants: Bool { self == .wholeDistanceBracket }
}

extension RateTier {
    fileprivate func members(hasPlus: Bool) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let upTo { members.append(.init(name: "up_to", value: .integer(Int(upTo)))) }
        members.append(.init(name: "rate", value: .text(rate.description)))
        if hasPlus { members.append(.init(name: "plus", value: .text(plus.description))) }
        return members
    }
}

extension RateSource {
    fileprivate var value: JSONValue {
        var members = [JSONValue.Member(name: "name", value: .text(name))]
        if let url { members.append(.init(name: "url", value: .text(url))) }
        return .object(members)
    }
}

extension JSONValue {
    fileprivate static func integer(_ integer: Int) -> JSONValue {
        .number(literal: String(integer))
    }

    /// A list of texts, or `nil` if there are none.
    fileprivate static func texts(_ texts: [String]) -> JSONValue? {
        texts.isEmpty ? nil : .list(texts.map { .text($0) })
    }

    /// Reads a document that holds one value, with space around it.
    ///
    /// - Throws: ``RateProblem`` that says where it is no JSON.
    init(rateDocument document: [UInt8]) throws(RateProblem) {
        let bytes = document.span
        var parser = JSONParser(position: JSONLexer.skipSpace(bytes, from: 0))
        do throws(JSONSyntaxError) {
            self = try parser.value(bytes, depth: 0)
        } catch {
            throw RateProblem("byte \(error.column)", error.sentence)
        }
        guard JSONLexer.skipSpace(bytes, from: parser.position) == document.count else {
            throw RateProblem("byte \(parser.position + 1)", "something follows the value")
        }
    }
}
