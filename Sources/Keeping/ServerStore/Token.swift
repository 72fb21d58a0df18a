package import CivilTime
import RowCoding
package import TripEvents

/// The scopes of a token, which say what its holder may do; wider ones come first.
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

    /// See where a trip in progress is.
    case live

    /// Deliver facts of its own sources, and read nothing.
    case ingest

    /// Press GO and STOP for its own source, and nothing else.
    case press

    /// Whether a token of this scope may stand in an address: those of phones and buttons have to.
    package var mayStandInAddress: Bool {
        switch self {
        case .ingest, .live, .press: true
        case .admin, .sync, .edit, .read, .audit: false
        }
    }
}

/// The use of a token: the kind of program that shows it.
package enum TokenUse: String, Sendable {
    /// A program or an app, with each request.
    case program

    /// A person's browser, once: the code in a link, for which it gets a session.
    case login

    /// A browser, as a cookie.
    case session

    /// The link that shows others where one trip in progress is.
    case share

    /// The link that shows others one report that was handed out, and its proof.
    case report

    /// Whether each token of this use has a name of its own: codes and sessions of one person share
    /// one name.
    var hasOwnName: Bool { self == .program || isLink }

    /// Whether it is a link that shows others something.
    package var isLink: Bool { self == .share || self == .report }
}

/// The facts about a token, but not the token itself.
package struct Token: Hashable, Sendable {
    /// The owner's name for it; it is the actor of decisions made with it.
    package var name: String

    /// Its use.
    package var use = TokenUse.program

    /// Its scopes, in the order of ``TokenScope``; at least one.
    package var scopes: [TokenScope]

    /// The sources whose facts it delivers, whose trips and positions it sees, and about whose
    /// trips it decides.
    ///
    /// The first one is that of deliveries, which never name
    /// another; none means all.
    package var sources: [String] = []

    /// The group that its sources belong to; `nil` if they are the owner's.
    package var group: String?

    /// The name of the token or the person that made it; `nil` for the ledger's owner.
    package var maker: String?

    /// The id of the ledger that exchanges events with it; `nil` until one does.
    package var ledger: String?

    /// When it was made.
    package var createdAt: Timestamp

    /// When it expires; `nil` for never.
    package var expiresAt: Timestamp?

    /// The last day, in UTC, on which it was accepted.
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

    /// The issued report that a link shows, such as `R1`; `nil` for every other token.
    package var report: String?

    /// The vehicle that is driven when GO is pressed with it; `nil` if it presses for none.
    package var vehicle: String?

    /// Whether the app is told to record densely while a trip goes on, and only then.
    package var recordsDenselyOnTrips = false

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

    /// What its holder sees of the ledger: what its sources have reported, or its group, or all.
    ///
    /// A holder who may read the log or exchange it sees all there is. A token of a group sees the
    /// whole group, whatever source it delivers.
    package var sight: Sight {
        guard !scopes.contains(.audit), !scopes.contains(.sync) else { return .everything }
        if let group { return .of(group: group) }
        return sources.isEmpty ? .everything : .of(sources: sources)
    }

    /// Whether a source is one of its own, byte by byte.
    package func isOf(_ source: String) -> Bool {
        sources.containsName(source)
    }

    /// Whether it may stand in an address: if all of its scopes may.
    package var mayStandInAddress: Bool { scopes.allSatisfy(\.mayStandInAddress) }

    /// Whether it and another token deliver events of one source, and are valid.
    package func deliversBeside(_ other: Token, at instant: Timestamp) -> Bool {
        scopes.contains(.ingest) && other.scopes.contains(.ingest) && sources.first != nil
            && sources.first.hasSameBytes(as: other.sources.first) && other.revokedAt == nil
            && !other.hasExpired(at: instant)
    }

    /// Whether it has expired at an instant: a session also if it was not used for a week.
    package func hasExpired(at instant: Timestamp) -> Bool {
        if let expiresAt, expiresAt <= instant { return true }
        guard use == .session else { return false }
        let used = lastUsed ?? CivilDate(of: EventTime(createdAt))
        return used.daysSince1970 + Self.idleDays < CivilDate(of: EventTime(instant)).daysSince1970
    }

    /// The number of unused days after which a session ends.
    private static let idleDays = 7
}

extension Token {
    private static let version: UInt8 = 3

    /// The version before, which had neither vehicle nor dense recording.
    private static let earlierVersion: UInt8 = 2

    /// The version of links of reports, which programs that do not know such links cannot read.
    private static let reportVersion: UInt8 = 4

    /// The bytes that are stored (Formats, *What a server keeps*).
    var encoded: [UInt8] {
        var row = RowEncoder(version: report == nil ? Self.version : Self.reportVersion)
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
        if let report { row.write(report) }
        row.write(group) { $0.write($1) }
        row.write(maker) { $0.write($1) }
        row.write(ledger) { $0.write($1) }
        row.write(vehicle) { $0.write($1) }
        row.write(recordsDenselyOnTrips)
        return row.bytes
    }

    /// Reads what was stored.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        let known = [Self.earlierVersion, Self.reportVersion]
        let version = bytes.first.flatMap { known.contains($0) ? $0 : nil } ?? Self.version
        let isEarlier = version == Self.earlierVersion
        var row = try RowDecoder(bytes, version: version)
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
        guard (use == .report) == (version == Self.reportVersion) else { throw .invalidValue }
        if use == .report { report = try row.readText() }
        group = try row.readOptionalText()
        maker = try row.readOptionalText()
        ledger = try row.readOptionalText()
        if !isEarlier {
            vehicle = try row.readOptionalText()
            recordsDenselyOnTrips = try row.readBool()
        }
        try row.finish()
    }

    private static func day(_ row: inout RowDecoder) throws(RowCodingError) -> CivilDate {
        // Far more days than a year of four digits has.
        guard let days = Int(exactly: try row.readInt64()), (-1_000_000...4_000_000).contains(days)
        else { throw .invalidValue }
        return CivilDate(daysSince1970: days)
    }
}
