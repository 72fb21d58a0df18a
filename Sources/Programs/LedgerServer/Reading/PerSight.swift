import TripEvents

/// The latest results, by what those who asked see: for those who see everything, as nearly all do,
/// and for the last few of the others.
struct PerSight<Value: Sendable>: Sendable {
    /// The number of other sights for which something is remembered.
    private static var mostRemembered: Int { 8 }

    private var ofAll: Value?
    private var ofOthers: [(sight: Sight, value: Value)] = []

    /// The result for a sight; `nil` if that is not remembered.
    subscript(sight: Sight) -> Value? {
        get { sight.isEverything ? ofAll : ofOthers.first { $0.sight == sight }?.value }
        set {
            guard !sight.isEverything else {
                ofAll = newValue
                return
            }
            ofOthers.removeAll { $0.sight == sight }
            if let newValue { ofOthers.append((sight, newValue)) }
            ofOthers.removeFirst(max(0, ofOthers.count - Self.mostRemembered))
        }
    }
}
