import TripEvents

extension FieldDefined {
    /// Returns what a value of the field must be, as a sentence calls it, or `nil` if this one is.
    func complaint(about value: CustomValue) -> String? {
        if value == .null { return nil }
        switch valueType {
        case .number:
            if case .number = value { return nil }
            return "a number"
        case .boolean:
            if case .boolean = value { return nil }
            return "true or false"
        case .text, .date, .duration, .url, .email, .select:
            guard case .text(let text) = value else { return "a text" }
            return complaint(aboutText: text)
        }
    }

    private func complaint(aboutText text: String) -> String? {
        switch valueType {
        case .text, .number, .boolean: nil
        case .date: CivilDate(text) == nil ? "a date as YYYY-MM-DD" : nil
        case .duration: Self.isDuration(text) ? nil : "a duration as PT1H30M (ISO 8601)"
        case .url: Self.isWebAddress(text) ? nil : "a web address with http:// or https://"
        case .email: Self.isMailAddress(text) ? nil : "a mail address"
        case .select:
            isOffered(text) ? nil : "one of " + (options ?? []).joined(separator: ", ")
        }
    }

    private func isOffered(_ text: String) -> Bool {
        (options ?? []).contains { $0.utf8.elementsEqual(text.utf8) }
    }

    /// Durations of days, hours, minutes and seconds (ISO 8601-1 §5.5.2.2), whole numbers only:
    /// months and years have no length of their own.
    private static func isDuration(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "P") else { return false }
        var units = Array("DTHMS".utf8)[...]
        var digits = 0
        var isComplete = false
        for byte in text.utf8.dropFirst() {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                digits += 1
                continue
            }
            guard let index = units.firstIndex(of: byte) else { return false }
            let isTimeMark = byte == UInt8(ascii: "T")
            let isInDate = units.contains(UInt8(ascii: "T"))
            guard isTimeMark == (digits == 0), isTimeMark || isInDate == (byte == UInt8(ascii: "D"))
            else { return false }
            isComplete = !isTimeMark
            digits = 0
            units = units[(index + 1)...]
        }
        return isComplete && digits == 0
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !host.isEmpty && !text.contains { $0.isWhitespace }
    }

    /// One `@` with something before it and a name with a dot after it: what can be told without
    /// sending a letter.
    private static func isMailAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: \.isWhitespace) else {
            return false
        }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
    }
}
