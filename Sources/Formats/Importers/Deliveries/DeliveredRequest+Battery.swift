import TripEvents

// The charge of a device's battery is no fact about its way and is not stored. A server shows it
// while it runs, so that its owner sees a phone that is about to fall silent.
extension DeliveredRequest {
    /// Longer bodies are not looked into once more.
    private static let mostBytes = 1 << 16

    /// The names that apps give the charge, which is in percent or a share of 1.
    private static let names: Set = ["batt", "bat", "battery", "battery_level", "level"]

    /// The charge of the battery in percent, 0 … 100, as it was said last; `nil` if it was not.
    package var batteryPercent: Int? {
        guard body.count <= Self.mostBytes else { return nil }
        let start = JSONLexer.skipSpace(body.span, from: 0)
        if start < body.count, [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(body[start]) {
            return (try? JSONValue(body.span)).flatMap(Self.last)
        }
        let form = String(decoding: body, as: UTF8.self) + "&" + query
        for part in form.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, Self.names.contains(pair[0].lowercased()) else { continue }
            if let percent = Self.percent(String(pair[1]), isShare: false) { return percent }
        }
        return nil
    }

    /// Returns the last charge in a value.
    private static func last(in value: JSONValue) -> Int? {
        switch value {
        case .list(let elements): elements.reversed().lazy.compactMap(last).first
        case .object(let members):
            members.reversed().lazy
                .compactMap { member in
                    guard case .number(let literal) = member.value else {
                        return last(in: member.value)
                    }
                    guard names.contains(member.name) else { return nil }
                    return percent(literal, isShare: member.name.hasSuffix("level"))
                }
                .first
        case .null, .boolean, .number, .text: nil
        }
    }

    private static func percent(_ literal: String, isShare: Bool) -> Int? {
        guard let number = Double(literal), number >= 0, number <= 100 else { return nil }
        return Int((isShare && number <= 1 ? number * 100 : number).rounded())
    }
}
