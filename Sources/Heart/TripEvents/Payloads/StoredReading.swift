/// A GPS reading as its entry holds it: enough to write it down again, without the event that it
/// is.
///
/// Nearly every entry is one. To make the event of it and to ask that for its fields costs ten
/// times what the text of the numbers does.
package struct StoredReading: Sendable {
    /// How far the source's local time was from UTC, if it said.
    package let utcOffset: UTCOffset?

    /// The sender's counter, if it gave one.
    package let sequence: UInt64?

    private let numbers: FixNumbers

    /// Reads the payload of a `fix_recorded` entry, or returns `nil` if it is one that only
    /// ``TripEvent/init(decoding:kind:form:source:group:occurredAt:id:)`` reads: with an actor, in
    /// fields, with a supplement, of a newer version, or damaged.
    package init?(payload: Span<UInt8>, form: PayloadForm) {
        guard form.version == 1, !form.hasActor,
            let prefix = PayloadPrefix(payload, form: form)
        else { return nil }
        switch form.frame {
        case .narrowFix:
            guard payload.count == prefix.length + NarrowFix.length else { return nil }
            numbers = NarrowFix(payload, at: prefix.length).numbers
        case .wideFix:
            guard let wide = try? FixNumbers(wide: payload, from: prefix.length) else {
                return nil
            }
            numbers = wide
        case .fields, .supplemented, nil:
            return nil
        }
        guard numbers.origin.provider != nil else { return nil }
        utcOffset = prefix.utcOffset
        sequence = prefix.sequence
    }
}

extension StoredReading {
    /// The names in JSON of latitude, longitude, accuracy, altitude, speed and course, in the order
    /// in which they are written.
    package static let numberNames = [
        FieldName.latitude, .longitude, .accuracy, .altitude, .speed, .course,
    ]
    .map(\.jsonName)

    /// Degrees to the north.
    package var latitude: ScaledDecimal { numbers.latitude }

    /// Degrees to the east.
    package var longitude: ScaledDecimal { numbers.longitude }

    /// The radius of 68 % confidence in metres, as it was reported.
    package var accuracy: ScaledDecimal? { numbers.accuracy }

    /// Metres, as they were reported.
    package var altitude: ScaledDecimal? { numbers.altitude }

    /// Metres per second, as they were reported.
    package var speed: ScaledDecimal? { numbers.speed }

    /// Degrees from true north, as they were reported.
    package var course: ScaledDecimal? { numbers.course }

    /// Says what made the reading, and whether that was made up.
    package var origin: UInt8 { numbers.origin.rawValue }

    /// Returns the members that stand after the numbers for each ``origin``, after a comma, with
    /// some text for a quote.
    package static func originMembers(quote: String) -> [String] {
        (UInt8.min...UInt8.max)
            .map { byte in
                let origin = FixOrigin(rawValue: byte)
                var members = ""
                if let provider = origin.provider?.value {
                    members += ",\(quote)\(FieldName.provider.jsonName)\(quote):"
                    members += "\(quote)\(provider.rawValue)\(quote)"
                }
                if let isMock = origin.isMock {
                    members += ",\(quote)\(FieldName.mock.jsonName)\(quote):\(isMock)"
                }
                return members
            }
    }
}
