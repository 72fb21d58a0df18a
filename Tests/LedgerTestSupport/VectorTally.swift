public import Testing

/// Counts what became of each vector of a group, and sees to it that none is left out.
public struct VectorTally {
    private let group: VectorGroup
    private var passed = 0
    private var notApplicable = 0
    private var reasons: [String] = []

    /// Starts to count.
    public init(_ group: VectorGroup) {
        self.group = group
    }

    /// Expects a vector to be met, and counts it if it is.
    public mutating func expect(
        _ isMet: Bool,
        _ comment: @autoclosure () -> Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if isMet { passed += 1 }
        #expect(isMet, comment(), sourceLocation: sourceLocation)
    }

    /// Counts a vector that nothing of ours can be held against.
    public mutating func leaveOut(because reason: String) {
        notApplicable += 1
        if !reasons.contains(reason) { reasons.append(reason) }
    }

    /// Compares with what the files hold, and prints the line that `tools/oracles/run` gathers.
    public func finish(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let count = try group.count()
        #expect(passed + notApplicable == count, sourceLocation: sourceLocation)
        let reason = reasons.joined(separator: "; ")
        print("vectors\t\(group.rawValue)\t\(count)\t\(passed)\t\(notApplicable)\t\(reason)")
    }
}
