/// Days whose month has an English name, as Java, mail programs and web servers write them:
/// `Wed Aug 05 18:57:56 GMT+01:00 2026`, `Wed, 05 Aug 2026 18:57:56 GMT`, `05-Aug-2026 18:57:56`.
enum NamedMonth {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static let weekdays: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Returns a time as ISO 8601 writes it, followed by the zone that it names; `nil` if the text
    /// is not such a time.
    static func iso(_ text: [UInt8]) -> [UInt8]? {
        guard text.count <= 64 else { return nil }
        var words = String(decoding: text, as: UTF8.self)
            .split { $0 == " " || $0 == "," }.map(String.init)
        if let first = words.first, weekdays.contains(first.prefix(3).lowercased()) {
            words.removeFirst()
        }
        words = words.flatMap { parts(ofDay: $0) }
        let isClock = { (word: String) in word.contains(":") && word.first?.isNumber == true }
        guard let clock = words.firstIndex(where: isClock) else { return nil }
        var time = words.remove(at: clock)
        if time.prefix(while: { $0 != ":" }).count == 1 { time = "0" + time }
        var (day, month, year): (Int?, Int?, Int?)
        var zone: [String] = []
        for word in words {
            if month == nil, let index = Self.month(word) {
                month = index
            } else if let number = Int(word), word.count <= 2, day == nil {
                day = number
            } else if let number = Int(word), word.count == 4, word.first?.isNumber == true,
                year == nil
            {
                year = number
            } else {
                zone.append(word)
            }
        }
        guard let day, let month, let year, zone.count <= 2 else { return nil }
        let date = [String(year), padded(month), padded(day)].joined(separator: "-")
        return Array(([date + "T" + time] + zone).joined(separator: " ").utf8)
    }

    /// Returns the parts of `05-Aug-2026`, or a word as it is.
    private static func parts(ofDay word: String) -> [String] {
        let parts = word.split(separator: "-").map(String.init)
        return parts.count == 3 && month(parts[1]) != nil ? parts : [word]
    }

    private static func month(_ word: String) -> Int? {
        guard word.count >= 3, word.allSatisfy(\.isLetter) else { return nil }
        return months.firstIndex(of: word.prefix(3).lowercased()).map { $0 + 1 }
    }

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
