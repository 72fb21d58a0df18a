/// A GPS reading as its entry holds it, which can be written as text without decoding its event.
///
/// Nearly every entry is one. Making its event and reading the fields of that costs ten times as
/// much as writing the numbers as text. It is moved a few times on the way to that text and never
/// copied; the larger of the two frames has memory of its own.
package struct StoredReading: ~Copyable, Sendable {
    /// The frame of an entry, read.
    private enum Frame: Sendable {
        case narrow(NarrowFix)
        indirect case wide(FixNumbers)
    }

    /// The sender's counter, if it gave one.
    package let sequence: UInt64?

    /// How far the source's local time was from UTC, if it said.
    package let utcOffset: UTCOffset?

    private let frame: Frame

    /// Reads the payload of a `fix_recorded` entry, or returns `nil` if it is one that only
    /// ``TripEvent/init(decoding:kind:form:source:group:occurredAt:id:)`` reads: with an actor, in
    /// fields, with a supplement, of a newer version, or damaged.
    package init?(payload: Span<UInt8>, form: PayloadForm) {
        guard form.version == 1, !form.hasActor,
            let prefix = PayloadPrefix(payload, form: form)
        else { return nil }
        let frame: Frame
        let origin: FixOrigin
        switch form.frame {
        case .narrowFix:
            guard payload.count == prefix.length + NarrowFix.length else { return nil }
            let narrow = NarrowFix(payload, at: prefix.length)
            frame = .narrow(narrow)
            origin = narrow.origin
        case .wideFix:
            guard let wide = try? FixNumbers(wide: payload, from: prefix.length) else {
                return nil
            }
            frame = .wide(wide)
            origin = wide.origin
        case .fields, .supplemented, nil:
            return nil
        }
        guard origin.provider != nil else { return nil }
        self.frame = frame
        utcOffset = prefix.utcOffset
        sequence = prefix.sequence
    }
}

/// A number as an entry holds it, units ÷ 10^places, which may end in zeros.
package struct StoredNumber: Sendable, BitwiseCopyable {
    /// The number in its units.
    package let units: Int64

    /// How many decimals the units have.
    package let places: Int

    @inline(__always)
    fileprivate init(_ units: some BinaryInteger, places: Int) {
        self.units = Int64(units)
        self.places = places
    }

    @inline(__always)
    fileprivate init(_ number: ScaledDecimal) {
        self.init(number.significand, places: Int(number.decimals))
    }

    /// Reads a number of the narrow frame, which may have none.
    @inline(__always)
    fileprivate init?(narrow units: UInt16, places: Int) {
        switch units {
        case NarrowFix.absent: return nil
        case NarrowFix.minusOne: self.init(-1, places: 0)
        default: self.init(units, places: places)
        }
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
    package var latitude: StoredNumber {
        switch frame {
        case .narrow(let fix): StoredNumber(fix.latitude, places: 7)
        case .wide(let fix): StoredNumber(fix.latitude)
        }
    }

    /// Degrees to the east.
    package var longitude: StoredNumber {
        switch frame {
        case .narrow(let fix): StoredNumber(fix.longitude, places: 7)
        case .wide(let fix): StoredNumber(fix.longitude)
        }
    }

    /// The radius of 68 % confidence in metres, as it was reported.
    package var accuracy: StoredNumber? {
        switch frame {
        case .narrow(let fix): StoredNumber(narrow: fix.accuracy, places: 1)
        case .wide(let fix): fix.accuracy.map { StoredNumber($0) }
        }
    }

    /// Metres, as they were reported.
    package var altitude: StoredNumber? {
        switch frame {
        case .narrow(let fix):
            fix.altitude == NarrowFix.altitudeAbsent ? nil : StoredNumber(fix.altitude, places: 1)
        case .wide(let fix): fix.altitude.map { StoredNumber($0) }
        }
    }

    /// Metres per second, as they were reported.
    package var speed: StoredNumber? {
        switch frame {
        case .narrow(let fix): StoredNumber(narrow: fix.speed, places: 2)
        case .wide(let fix): fix.speed.map { StoredNumber($0) }
        }
    }

    /// Degrees from true north, as they were reported.
    package var course: StoredNumber? {
        switch frame {
        case .narrow(let fix): StoredNumber(narrow: fix.course, places: 2)
        case .wide(let fix): fix.course.map { StoredNumber($0) }
        }
    }

    /// Says what made the reading, and whether that was made up.
    package var origin: UInt8 {
        switch frame {
        case .narrow(let fix): fix.origin.rawValue
        case .wide(let fix): fix.origin.rawValue
        }
    }

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
