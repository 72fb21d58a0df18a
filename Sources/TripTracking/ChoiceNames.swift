/// The names of a type's choices as they are stored, to find the one that stands in a row without
/// making a text of it.
package struct ChoiceNames: Sendable {
    /// A name as numbers, for they are compared without looking at an array for each name.
    private struct PackedName: Equatable {
        var byteCount = 0
        var high: UInt64 = 0
        var low: UInt64 = 0

        /// Packs no name.
        init() {}

        @inline(__always)
        init(_ bytes: Span<UInt8>) {
            byteCount = bytes.count
            precondition(byteCount <= ChoiceNames.longestName, "a name fits into two words")
            for index in bytes.indices {
                high = high << 8 | low >> 56
                low = low << 8 | UInt64(bytes[index])
            }
        }
    }

    private static let longestName = 16

    // In place, for who reads a row would hold on to an array for each choice.
    private var names = InlineArray<16, PackedName>(repeating: PackedName())
    private let count: Int

    /// Creates the names of a type's choices, in the order of its cases.
    ///
    /// - Precondition: They are at most 16, and have at most 16 bytes each.
    package init<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) {
        count = Choice.allCases.count
        precondition(count <= names.count, "there is room for all names")
        for (index, choice) in Choice.allCases.enumerated() {
            names[index] = PackedName(Array(choice.rawValue.utf8).span)
        }
    }

    /// Returns which choice has a name, or `nil` if none has.
    func index(of name: Span<UInt8>) -> Int? {
        guard name.count <= Self.longestName else { return nil }
        let packed = PackedName(name)
        for index in 0..<count where names[index] == packed { return index }
        return nil
    }
}
