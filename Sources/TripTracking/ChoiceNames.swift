/// The names of a type's choices as they are stored, to find the one that stands in a row without
/// making a text of it.
package struct ChoiceNames: Sendable {
    private let names: [[UInt8]]

    /// Creates the names of a type's choices, in the order of its cases.
    package init<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) {
        names = Choice.allCases.map { Array($0.rawValue.utf8) }
    }

    /// Returns which choice has a name, or `nil` if none has.
    func index(of name: Span<UInt8>) -> Int? {
        for index in names.indices where Self.isSame(names[index], name) { return index }
        return nil
    }

    @inline(__always)
    private static func isSame(_ name: [UInt8], _ other: Span<UInt8>) -> Bool {
        guard name.count == other.count else { return false }
        for index in name.indices where name[index] != other[index] { return false }
        return true
    }
}
