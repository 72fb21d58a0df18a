import TripEvents

/// Counts the requests of each token, reads, tiles and writes apart, so that a client that asks too
/// often takes no room from others, nor from what it sends itself.
///
/// The first request begins a window of time, in which a limited number is accepted; the first
/// request after it begins the next. A refused request is not counted, and does not prolong the
/// window.
package struct Quotas: Sendable {
    /// The kinds of requests that are counted apart.
    package enum Kind: String, Hashable, Sendable {
        case reads

        /// Reads of the log's tiles and bundles: a client that verifies a log reads nearly as many
        /// as it has blocks of 256 entries, and each reads only one block.
        case tiles

        case writes
    }

    /// How many tiles are taken for each other read.
    private static let tilesPerRead: UInt64 = 10

    /// Why a request is not taken.
    package struct Refusal: Hashable, Sendable {
        /// How many are taken in a window.
        package let most: UInt64

        /// How long it is until a request is accepted again; always positive.
        package let wait: Duration
    }

    /// The length of a window.
    package static let window = Duration.seconds(60)

    private struct Key: Hashable, Sendable {
        let kind: Kind
        let token: NameKey
    }

    private struct Count: Sendable {
        let start: ContinuousClock.Instant
        var requests: UInt64 = 0
    }

    private let most: [Kind: UInt64]
    private var counts: [Key: Count] = [:]

    /// Counts from nothing.
    ///
    /// - Parameters:
    ///   - reads: How many reads of a token are taken in a window, and beside them ten times as
    ///     many tiles; `nil` for all.
    ///   - writes: How many writes; `nil` for all.
    package init(reads: UInt64?, writes: UInt64?) {
        let tiles = reads.map { min($0, .max / Self.tilesPerRead) * Self.tilesPerRead }
        most = [Kind.reads: reads, .tiles: tiles, .writes: writes].compactMapValues(\.self)
    }

    /// Counts a request, if it is taken.
    ///
    /// - Parameters:
    ///   - kind: What it does.
    ///   - token: The name of its token.
    ///   - now: The present.
    /// - Returns: The reason why it is not taken; `nil` if it is.
    package mutating func refusal(
        of kind: Kind,
        by token: String,
        at now: ContinuousClock.Instant
    ) -> Refusal? {
        guard let most = most[kind] else { return nil }
        let key = Key(kind: kind, token: NameKey(token))
        var count = counts[key] ?? Count(start: now)
        if now - count.start >= Self.window { count = Count(start: now) }
        guard count.requests < most else {
            return Refusal(most: most, wait: count.start + Self.window - now)
        }
        count.requests += 1
        counts[key] = count
        return nil
    }
}
