import ArgumentParser

/// Options for waiting until a second server has the stored entries.
struct ReplicaOptions: ParsableArguments {
    /// How long to wait by default.
    static let usualTimeout = Duration.seconds(10)

    /// The longest time that may be waited for, in seconds.
    private static let mostSeconds = 3_600

    @Flag(help: "Answer once a second server has it too.")
    var requireReplica = false

    @Option(
        help: ArgumentHelp("How many seconds to wait for it (default: 10).", valueName: "s")
    )
    var replicaTimeout: Int?

    /// How long to wait; `nil` if the disk is enough.
    var timeout: Duration? {
        requireReplica ? replicaTimeout.map { .seconds($0) } ?? Self.usualTimeout : nil
    }

    func validate() throws {
        guard let replicaTimeout else { return }
        guard requireReplica else {
            throw ValidationError("--replica-timeout is for --require-replica.")
        }
        guard (1...Self.mostSeconds).contains(replicaTimeout) else {
            throw ValidationError("--replica-timeout takes 1 to \(Self.mostSeconds) seconds.")
        }
    }
}
