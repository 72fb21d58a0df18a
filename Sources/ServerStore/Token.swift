package import CivilTime
import RowCoding
package import TripEvents

/// What a token lets its holder do; those that let do more come first.
package enum TokenScope: String, CaseIterable, Sendable {
    /// Rules, places, vehicles and fields, and everything else that events can say.
    case admin

    /// Exchange all events with another ledger.
    case sync

    /// Decide about trips.
    case edit

    /// Read trips, reports and places.
    case read

    /// Read the log and its proofs.
    case audit

    /// See where a trip is that goes on.
    case live

    /// Deliver facts of its own sources, and read nothing.
    case ingest

    /// Whether a token of this scope may stand in an address: those of phones have to.
    package var mayStandInAddress: Bool { self == .ingest || self == .live }
}

/// What shows a token.
package enum TokenUse: String, Sendable {
    /// A program or an app, with each request.
    case program

    /// A person's browser, once: the code in a link, for which it gets a session.
    case login

    /// A browser, as a cookie.
    case session

    /// The link of one trip that goes on, by which others see where it is.
    case share

    /// Whether people call what shows it by a name of its own: codes and sessions of one person
    /// have one name.
    var hasOwnName: Bool { self == .program || self == .share }
}

/// What is known of a token, but not the token itself.
package struct Token: Hashable, Sendable {
    /// What its owner calls it; it stands as actor in what is decided with it.
    package var name: String

    /// What shows it.
    package var use = TokenUse.program

    /// What it lets its holder do, in the order of ``TokenScope``; at least one.
    package var scopes: [TokenScope]

    /// Whose facts it delivers or reads.
    ///
    /// The first one is that of deliveries, which never name
    /// another; none means all.
    package var sources: [String] = []

    /// The group that its sources belong to; `nil` if they are the owner's.
    package var group: String?

    /// When it was made.
    package var createdAt: Timestamp

    /// When it is of no more use; `nil` for never.
    package var expiresAt: Timestamp?

    /// The last day, in UTC, on which it was of use.
    package var lastUsed: CivilDate?

    /// When it was revoked.
    package var revokedAt: Timestamp?

    /// Whether deliveries with it are thrown away and answered as if they were stored, now that it
    /// was revoked; if not, what delivers with it is to keep its queue.
    package var dropsDeliveries = false

    /// The last day, in UTC, on which it was shown though it had expired or was revoked.
    package var lastRefused: CivilDate?

    /// The time zone of times that come without one, an IANA name; without it they are set aside.
    package var timeZone: String?

    /// The trip that the link of a share shows; `nil` for every other token.
    package var trip: TripID?

    /// The most bytes of a key of OwnTracks.
    package static let longestOwnTracksKey = 32

    /// The key of encrypted messages of OwnTracks, 1 … ``longestOwnTracksKey`` bytes.
    package var ownTracksKey: [UInt8]?

    /// Creates a token that is not used yet.
    package init(name: String, scopes: Set<TokenScope>, createdAt: Timestamp) {
        precondition(!scopes.isEmpty, "A token lets do something.")
        self.name = name
        self.scopes = TokenScope.allCases.filter(scopes.contains)
        self.createdAt = createdAt
    }

    /// Whether it may stand in an address: if all of its scopes may.
    package var mayStandInAddress: Bool { scopes.allSatisfy(\.mayStandInAddress) }

    /// Whether it and another token deliver events of one source, and are of use.
    package func deliversBeside(_ other: Token, at instant: Timestamp) -> Bool {
        scopes.contains(.ingest) && other.scopes.contains(.ingest) && sources.first != nil
            && sources.first == other.sources.first && other.revokedAt == nil
            && !other.hasExpired(at: instant)
    }

    /// Whether it has expired at an instant: a session also if it was of no use for a week.
    package func hasExpired(at instant: Timestamp) -> Bool {
        if let expiresAt, expiresAt <= instant { return true }
        guard use == .session else { return false }
        let used = lastUsed ?? CivilDate(of: EventTime(createdAt))
        return used.daysSince1970 + Self.idleDays < CivilDate(of: EventTime(instant)).daysSince1970
    }

    /// After how many days on which it was of no use a session ends.
    private static let idleDays = 7
}

extension Token {
    private static let version: UInt8 = 1

    /// The bytes that are stored (Formats, *What a server keeps*).
    var encoded: [UInt8] {
        var row = RowEncoder(version: Self.version)
        row.write(name)
        row.write(UInt64(scopes.count))
        for scope in scopes { row.write(scope) }
        row.write(UInt64(sources.count))
        for source in sources { row.write(source) }
        row.write(createdAt)
        row.write(expiresAt) { $0.write($1) }
        row.write(lastUsed) { $0.write(Int64($1.daysSince1970)) }
        row.write(revokedAt) { $0.write($1) }
        row.write(dropsDeliveries)
        row.write(lastRefused) { $0.write(Int64($1.daysSince1970)) }
        row.write(timeZone) { $0.write($1) }
        row.write(ownTracksKey) { $0.write($1) }
        row.write(use)
        if let trip { row.write(trip.description) }
        row.write(group) { $0.write($1) }
        return row.bytes
    }

    /// Reads what was stored.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var row = try RowDecoder(bytes, version: Self.version)
        let name = try row.readText()
        var scopes = Set<TokenScope>()
        for _ in 0..<(try row.readUInt64()) {
            guard let scope = TokenScope(rawValue: try row.readText()) else { throw .invalidValue }
            scopes.insert(scope)
        }
        guard !scopes.isEmpty else { throw .invalidValue }
        var sources: [String] = []
        for _ in 0..<(try row.readUInt64()) { sources.append(try row.readText()) }
        self.init(name: name, scopes: scopes, createdAt: try row.readTimestamp())
        self.sources = sources
        expiresAt = try row.readOptionalTimestamp()
        lastUsed = try row.readOptional(Self.day)
        revokedAt = try row.readOptionalTimestamp()
        dropsDeliveries = try row.readBool()
        lastRefused = try row.readOptional(Self.day)
        timeZone = try row.readOptionalText()
        ownTracksKey = try row.readOptional { row throws(RowCodingError) in try row.readBytes() }
        guard let use = TokenUse(rawValue: try row.readText()) else { throw .invalidValue }
        self.use = use
        if use == .share {
            guard let trip = TripID(try row.readText()) else { throw .invalidValue }
            self.trip = trip
        }
        group = try row.readOptionalText()
        try row.finish()
    }

    private static func day(_ row: inout RowDecoder) throws(RowCodingError) -> CivilDate {
        // Far more days than a year of four digits has.
        guard let days = Int(exactly: try row.readInt64()), (-1_000_000...4_000_000).contains(days)
        else { throw .invalidValue }
        return CivilDate(daysSince1970: days)
    }
}
