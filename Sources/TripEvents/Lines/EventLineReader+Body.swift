/// The members that make up an event's content.
extension EventLineReader {
    /// Appends a fix whose members all have their usual form to the payload.
    ///
    /// - Returns: `nil` if one has not; then ``body(_:)`` reads it or says what is wrong.
    @inline(__always)
    mutating func appendPlainFix(_ line: Span<UInt8>) -> PayloadForm.Frame? {
        let named = scanner.seen | scanner.nulls
        guard named & ~plainFixNames.fixOrExtra == 0,
            scanner.seen & plainFixNames.position == plainFixNames.position
        else { return nil }
        var origin = FixOrigin(provider: nil, isMock: nil)
        guard plainOrigin(line, into: &origin) else { return nil }
        if let narrow = narrowFix(origin) {
            narrow.append(to: &candidate.payload)
            return .narrowFix
        }
        guard let latitude = scanner[FieldName.latitude.rawValue].scaled,
            let longitude = scanner[FieldName.longitude.rawValue].scaled
        else { return nil }
        var fix = FixNumbers(latitude: latitude, longitude: longitude, origin: origin)
        guard fix.hasPosition, plainNumber(.altitude, into: &fix.altitude),
            plainNumber(.accuracy, into: &fix.accuracy), plainNumber(.speed, into: &fix.speed),
            plainNumber(.course, into: &fix.course)
        else { return nil }
        return fix.append(to: &candidate.payload)
    }

    /// Returns the narrow form of a fix straight from its members, as most lines have them, or
    /// `nil`; then it may still be narrow.
    @inline(__always)
    private mutating func narrowFix(_ origin: FixOrigin) -> NarrowFix? {
        NarrowFix(
            latitude: narrowAngle(.latitude, atMost: 90),
            longitude: narrowAngle(.longitude, atMost: 180),
            altitude: narrowAltitude(),
            accuracy: narrowNumber(.accuracy, places: 1),
            speed: narrowNumber(.speed, places: 2),
            course: narrowNumber(.course, places: 2),
            origin: origin
        )
    }

    @inline(__always)
    private mutating func narrowAngle(_ name: FieldName, atMost degrees: Int64) -> Int32? {
        let units = scanner[name.rawValue].units(places: 7)
        return units.flatMap { NarrowFix.packAngle($0, atMost: degrees) }
    }

    @inline(__always)
    private mutating func narrowAltitude() -> Int32? {
        guard scanner.has(FieldName.altitude.rawValue) else { return NarrowFix.altitudeAbsent }
        let units = scanner[FieldName.altitude.rawValue].units(places: 1)
        return units.flatMap { NarrowFix.packAltitude($0) }
    }

    @inline(__always)
    private mutating func narrowNumber(_ name: FieldName, places: Int) -> UInt16? {
        guard scanner.has(name.rawValue) else { return NarrowFix.absent }
        let units = scanner[name.rawValue].units(places: places)
        return units.flatMap { NarrowFix.pack($0, places: places) }
    }

    /// Returns the content of the event, whatever its type.
    @inline(never)
    mutating func body(_ line: Span<UInt8>) throws(Rejection) -> EventBody {
        let kind = KindFields.of(candidate.kind)
        // What is null is not there, unless null clears it; a strict reader finds those too that
        // events of this type do not have.
        let others = ~(kind.all | plainFixNames.envelope)
        let nulls = scanner.nulls & (isStrict ? kind.clearable | others : kind.clearable)
        var fields: [EventFields.Field] = []
        // The group is content only where the ledger itself says it of a source.
        for name in FieldName.allCases where name != .group || kind.names.contains(.group) {
            if scanner.has(name.rawValue) {
                let value = try value(of: scanner[name.rawValue], named: name, in: line)
                fields.append(EventFields.Field(name: name, value: value))
            } else if nulls & (1 << UInt128(name.rawValue)) != 0 {
                fields.append(EventFields.Field(name: name, value: .null))
            }
        }
        do throws(Rejection) {
            return try EventBody(candidate.kind, EventFields(fields))
        } catch {
            let name = FieldName.allCases.first { $0.jsonName == error.field }
            throw error.at(column: name.flatMap { column(of: $0) })
        }
    }

    private func column(of name: FieldName) -> Int? {
        let bit = UInt128(1) << UInt128(name.rawValue)
        return (scanner.seen | scanner.nulls) & bit != 0 ? scanner[name.rawValue].column : nil
    }

    private mutating func value(
        of member: LineMember,
        named name: FieldName,
        in line: Span<UInt8>
    ) throws(Rejection) -> FieldValue {
        do throws(Rejection) {
            let precise = try name.form.preciseValue(
                from: scanner.tree(of: member, in: line),
                of: name.jsonName
            )
            note(nanoseconds: precise.nanoseconds, of: name.rawValue)
            return precise.value
        } catch {
            throw error.at(column: member.column)
        }
    }

    @inline(__always)
    private mutating func plainNumber(_ name: FieldName, into number: inout ScaledDecimal?) -> Bool
    {
        guard scanner.has(name.rawValue) else { return true }
        number = scanner[name.rawValue].scaled
        return number != nil
    }

    @inline(__always)
    private mutating func plainOrigin(_ line: Span<UInt8>, into origin: inout FixOrigin) -> Bool {
        var provider: FixProvider?
        if scanner.has(FieldName.provider.rawValue) {
            let member = scanner[FieldName.provider.rawValue]
            var position = member.start
            guard member.kind == .text, let name = PackedName(line, position: &position) else {
                return false
            }
            provider = plainFixNames.provider(name)
            guard provider != nil else { return false }
        }
        var isMock: Bool?
        if scanner.has(FieldName.mock.rawValue) {
            let member = scanner[FieldName.mock.rawValue]
            guard member.kind == .boolean else { return false }
            isMock = member.flag
        }
        origin = FixOrigin(provider: provider, isMock: isMock)
        return true
    }
}

/// What a reader compares the members of the most frequent line with, a GPS fix.
///
/// A reader keeps it, so that no line asks whether it has been made.
struct PlainFixNames: Sendable {
    /// The one that readers share.
    static let shared = PlainFixNames()

    /// The type of a fix.
    let fixRecorded = PackedName(EventKind.fixRecorded.name.utf8)

    /// The members that a fix must have, a bit for each code.
    let position = Self.bits([.latitude, .longitude], [])

    /// The members that every event may have, a bit for each code, but for what is extra.
    let envelope = Self.bits([.group], EnvelopeName.allCases.filter { $0 != .extra })

    /// The members that a fix may have, likewise.
    let fixMembers = Self.bits(
        [.latitude, .longitude, .accuracy, .altitude, .speed, .course, .provider, .mock, .group],
        EnvelopeName.allCases.filter { $0 != .extra }
    )

    /// The same, and what is extra.
    let fixOrExtra = Self.bits(
        [.latitude, .longitude, .accuracy, .altitude, .speed, .course, .provider, .mock, .group],
        EnvelopeName.allCases
    )

    private let providers = FixProvider.allCases.map { (PackedName($0.rawValue.utf8), $0) }

    /// Returns the provider of that name.
    func provider(_ name: PackedName) -> FixProvider? {
        for (packed, provider) in providers where packed == name {
            return provider
        }
        return nil
    }

    private static func bits(_ fields: [FieldName], _ envelope: [EnvelopeName]) -> UInt128 {
        (fields.map(\.rawValue) + envelope.map(\.rawValue)).reduce(0) { $0 | 1 << UInt128($1) }
    }
}
