import TripEvents

// What a device says of itself is no fact about its way and is not stored. A server shows it while
// it runs, so that its owner sees a phone that is about to fall silent, and two phones that deliver
// with one token.
extension DeliveredRequest {
    /// Longer bodies are not looked into once more.
    private static let mostBytes = 1 << 16

    /// The names that apps give the charge, which is in percent or a share of 1.
    private static let batteryNames: Set = ["batt", "bat", "battery", "battery_level", "level"]

    /// The names that apps give the name of their device in JSON, where `id` is mostly that of a
    /// message.
    private static let deviceNames: Set = ["tid", "device_id"]

    /// Those in a query or a form; the first that is there counts.
    private static let deviceParameters = ["id", "deviceid", "device_id", "tid", "user"]

    /// The charge of the battery in percent, 0 … 100, as it was said last; `nil` if it was not.
    package var batteryPercent: Int? {
        guard body.count <= Self.mostBytes else { return nil }
        guard !isJSONBody else {
            return last { member in
                guard case .number(let literal) = member.value,
                    Self.batteryNames.contains(member.name)
                else { return nil }
                return Self.percent(literal, isShare: member.name.hasSuffix("level"))
            }
        }
        for part in form.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, Self.batteryNames.contains(pair[0].lowercased()) else {
                continue
            }
            if let percent = Self.percent(String(pair[1]), isShare: false) { return percent }
        }
        return nil
    }

    /// The name by which the device calls itself, as it was said last; `nil` if it was not.
    package var deviceID: String? {
        guard body.count <= Self.mostBytes else { return nil }
        guard !isJSONBody else {
            return last { member in
                guard case .text(let name) = member.value, !name.isEmpty,
                    Self.deviceNames.contains(member.name)
                else { return nil }
                return name
            }
        }
        let bytes = Array(form.utf8)
        let parameters = QueryParameters(bytes.span, bytes.indices)
        return Self.deviceParameters.lazy.compactMap { parameters.text($0) }.first
    }

    /// Whether the body is an object or a list.
    private var isJSONBody: Bool {
        let start = JSONLexer.skipSpace(body.span, from: 0)
        return start < body.count && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(body[start])
    }

    /// The form in the body with the query.
    private var form: String { String(decoding: body, as: UTF8.self) + "&" + query }

    /// Returns what `read` finds in the last member of the body in which it finds something.
    private func last<Value>(_ read: (JSONValue.Member) -> Value?) -> Value? {
        (try? JSONValue(body.span)).flatMap { Self.last(in: $0, read) }
    }

    private static func last<Value>(
        in value: JSONValue,
        _ read: (JSONValue.Member) -> Value?
    ) -> Value? {
        switch value {
        case .list(let elements):
            for element in elements.reversed() {
                if let found = last(in: element, read) { return found }
            }
        case .object(let members):
            for member in members.reversed() {
                if let found = read(member) ?? last(in: member.value, read) { return found }
            }
        case .null, .boolean, .number, .text: break
        }
        return nil
    }

    private static func percent(_ literal: String, isShare: Bool) -> Int? {
        guard let number = Double(literal), number >= 0, number <= 100 else { return nil }
        return Int((isShare && number <= 1 ? number * 100 : number).rounded())
    }
}
