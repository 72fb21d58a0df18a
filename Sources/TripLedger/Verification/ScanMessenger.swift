/// Passes messages on until that fails, and counts what is wrong.
final class ScanMessenger {
    private let say: (ScanMessage) throws -> Void

    /// Why messages could not be passed on.
    private(set) var failure: (any Error)?

    /// How many findings were told.
    private(set) var findingCount = 0

    init(_ say: @escaping (ScanMessage) throws -> Void) {
        self.say = say
    }

    /// Passes a message on.
    func tell(_ message: ScanMessage) {
        guard failure == nil else { return }
        if case .finding = message { findingCount += 1 }
        do { try say(message) } catch { failure = error }
    }

    /// Tells that something is wrong.
    func report(_ subject: VerifySubject, at position: UInt64? = nil, _ what: String) {
        tell(.finding(VerifyFinding(subject, at: position, what)))
    }

    /// Tells that something holds.
    func confirm(_ subject: VerifySubject, _ what: String) {
        tell(.fact(VerifyFact(subject, what)))
    }

    /// Tells that this is all, and throws why it could not be told.
    func finish() throws {
        tell(.end)
        if let failure { throw failure }
    }
}
