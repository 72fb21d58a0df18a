import TripEvents

/// What was found last for those who asked, by what they see: for those who see everything, as
/// nearly all do, and of the others for the few for whom something was found last.
struct PerSight<Value: Sendable>: Sendable {
    /// For how many of the others something is remembered.
    private static var mostRemembered: Int { 8 }

    private var ofAll: Value?
    private var ofOthers: [(sight: Sight, value: Value)] = []

    /// What was found for a sight; `nil` if that is not remembered.
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
