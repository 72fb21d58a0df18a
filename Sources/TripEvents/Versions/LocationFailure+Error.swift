extension LocationFailure {
    /// Words by which the free text of version 1 tells the reason, the first that occurs.
    ///
    /// Frozen: another word would change what is read from events that were stored long ago.
    private static let words: [(word: String, reason: LocationFailure)] = [
        ("denied", .denied), ("permission", .denied), ("unauthorized", .denied),
        ("timeout", .timeout), ("timed out", .timeout), ("network", .network),
        ("no signal", .noSignal), ("no satellites", .noSignal), ("locationunknown", .noSignal),
    ]

    /// Returns the reason that a device's words tell.
    init(error: String) {
        // ASCII only, so that no table of letters of a later year changes the answer.
        let text = String(
            decoding: error.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
        self = Self.words.first { Self.contains(text, $0.word) }?.reason ?? .other
    }

    private static func contains(_ text: String, _ word: String) -> Bool {
        let text = Array(text.utf8)
        let word = Array(word.utf8)
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count)
            .contains { text[$0..<$0 + word.count].elementsEqual(word) }
    }
}
