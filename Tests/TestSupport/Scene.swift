/// A part of a test that counts only if it was over in time.
///
/// Some of what a program does follows from the time that has passed: a wait is over, a body is
/// given up, a window ends. What is expected of it before that holds only while less time has
/// passed, and a machine that is busy with other things may take longer.
package enum Scene {
    /// The most times that a scene is played.
    private static let mostTimes = 12

    /// A scene took too long each time.
    package struct TooSlow: Error {}

    /// Plays a scene from its beginning until it returns something, which is how it says that it
    /// was in time, and returns that.
    package static func played<Outcome>(_ scene: () throws -> Outcome?) throws -> Outcome {
        for _ in 0..<mostTimes {
            if let outcome = try scene() { return outcome }
        }
        throw TooSlow()
    }

    /// Plays a scene from its beginning until it has taken less time than it may, and returns the
    /// outcome.
    ///
    /// Until then neither outcomes nor errors of it count.
    package static func played<Outcome>(
        within limit: Duration,
        _ scene: () throws -> Outcome
    ) throws -> Outcome {
        try played {
            let start = ContinuousClock.now
            let outcome = Result { try scene() }
            guard ContinuousClock.now - start < limit else { return nil }
            return try outcome.get()
        }
    }
}
