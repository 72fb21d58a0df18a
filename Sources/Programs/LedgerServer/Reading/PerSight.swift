import TripEvents

/// The latest results by the sight of the clients that asked: one for full sight, which nearly all
/// have, and one for each of the last few limited sights.
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
