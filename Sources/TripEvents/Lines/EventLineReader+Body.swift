/// The members that make up an event's content.
extension EventLineReader {
    /// Returns the numbers of a fix whose members are all as they mostly are, or `nil` for
    /// ``body(_:)`` to say what is wrong or to read what is rare.
    @inline(__always)
    func plainFix(_ line: Span<UInt8>) -> FixNumbers? {
        guard scanner.seen & ~plainFixNames.fixMembers == 0, scanner.strangers.isEmpty,
            scanner.seen & plainFixNames.position == plainFixNames.position,
            let latitude = scanner[FieldName.latitude.rawValue].scaled,
            let longitude = scanner[FieldName.longitude.rawValue].scaled
        else { return nil }
        var fix = FixNumbers(
            latitude: latitude,
            longitude: longitude,
            origin: FixOrigin(provider: nil, isMock: nil)
        )
        guard fix.hasPosition, plainNumber(.altitude, into: &fix.altitude),
            plainNumber(.accuracy, into: &fix.accuracy), plainNumber(.speed, into: &fix.speed),
            plainNumber(.course, into: &fix.course), plainOrigin(line, into: &fix.origin)
        else { return nil }
        return fix
    }

    /// Returns the content of the event, whatever its type.
    @inline(never)
    func body(_ line: Span<UInt8>) throws(Rejection) -> EventBody {
        if let stranger = scanner.strangers.first {
            throw .unknownField(stranger.name, field: nil).at(column: stranger.position + 1)
        }
        var fields: [EventFields.Field] = []
        for name in FieldName.allCases where scanner.has(name.rawValue) {
            let value = try value(of: scanner[name.rawValue], named: name, in: line)
            fields.append(EventFields.Field(name: name, value: value))
        }
        do throws(Rejection) {
            return try EventBody(candidate.kind, EventFields(fields))
        } catch {
            let name = FieldName.allCases.first { $0.jsonName == error.field }
            throw error.at(column: name.flatMap { column(of: $0) })
        }
    }

    private func column(of name: FieldName) -> Int? {
        scanner.has(name.rawValue) ? scanner[name.rawValue].column : nil
    }

    private func value(
        of member: LineMember,
        named name: FieldName,
        in line: Span<UInt8>
    ) throws(Rejection) -> FieldValue {
        guard member.kind != .null else { return .null }
        do throws(Rejection) {
            return try name.form.value(
                from: scanner.tree(of: member, in: line),
                of: name.jsonName
            )
        } catch {
            throw error.at(column: member.column)
        }
    }

    @inline(__always)
    private func plainNumber(_ name: FieldName, into number: inout ScaledDecimal?) -> Bool {
        guard scanner.has(name.rawValue) else { return true }
        number = scanner[name.rawValue].scaled
        return number != nil
    }

    @inline(__always)
    private func plainOrigin(_ line: Span<UInt8>, into origin: inout FixOrigin) -> Bool {
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
