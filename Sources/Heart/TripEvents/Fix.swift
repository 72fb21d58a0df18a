public import Geodesy

/// One GPS reading as the tracking rules see it: numbers, with "unknown" for what was not reported.
public struct Fix: Hashable, Sendable {
    // First, so that a copy by 16 bytes at a time keeps both of its numbers together. To read
    // across two writes that are still under way costs as much as judging a fix.
    /// Where, on the WGS-84 ellipsoid.
    public var coordinate: Coordinate

    /// When the reading was taken, by the source's clock.
    public var occurredAt: Timestamp

    /// Radius of 68 % confidence in metres; `nil` if unknown or reported negative.
    public var accuracyMeters: Double?

    /// Speed over ground in metres per second; `nil` if unknown or reported negative.
    public var speedMetersPerSecond: Double?

    /// Whether the source says the location was made up.
    public var isMock: Bool

    /// Creates a reading; a negative accuracy or speed becomes unknown.
    @inlinable
    public init(
        occurredAt: Timestamp,
        coordinate: Coordinate,
        accuracyMeters: Double? = nil,
        speedMetersPerSecond: Double? = nil,
        isMock: Bool = false
    ) {
        self.occurredAt = occurredAt
        self.coordinate = coordinate
        self.accuracyMeters = accuracyMeters.flatMap { $0 < 0 ? nil : $0 }
        self.speedMetersPerSecond = speedMetersPerSecond.flatMap { $0 < 0 ? nil : $0 }
        self.isMock = isMock
    }
}

extension FixRecorded {
    /// Returns the reading in the numbers that the tracking rules compare, each the nearest
    /// `Double`, or `nil` if the position is out of range.
    public func fix(occurredAt: Timestamp) -> Fix? {
        Coordinate(latitude: latitude.doubleValue, longitude: longitude.doubleValue)
            .map {
                Fix(
                    occurredAt: occurredAt,
                    coordinate: $0,
                    accuracyMeters: accuracy?.doubleValue,
                    speedMetersPerSecond: speed?.doubleValue,
                    isMock: isMock ?? false
                )
            }
    }
}

extension Fix {
    /// Reads the reading that the payload of a `fix_recorded` entry holds, without allocating for
    /// the narrow and the wide frame.
    ///
    /// Returns `nil` if the payload is damaged or of a version that this program does not know.
    @inlinable @inline(__always)
    public init?(payload: Span<UInt8>, form: PayloadForm, occurredAt: Timestamp) {
        // Most fixes are just this: no offset, sequence or actor before 18 bytes.
        if form.isPlainNarrowFix, payload.count == NarrowFix.length {
            self.init(NarrowFix(payload, at: 0), occurredAt: occurredAt)
        } else {
            self.init(anyPayload: payload, form: form, occurredAt: occurredAt)
        }
    }

    @usableFromInline
    init?(anyPayload payload: Span<UInt8>, form: PayloadForm, occurredAt: Timestamp) {
        guard form.version == 1, let prefix = PayloadPrefix(payload, form: form) else {
            return nil
        }
        guard form.frame == .supplemented else {
            self.init(payload, form.frame, from: prefix.length, occurredAt: occurredAt)
            return
        }
        guard let content = try? EventSupplement.skip(payload, from: prefix.length) else {
            return nil
        }
        self.init(payload, content.frame, from: content.end, occurredAt: occurredAt)
    }

    /// Reads the content that begins at `start`.
    private init?(
        _ payload: Span<UInt8>,
        _ frame: PayloadForm.Frame?,
        from start: Int,
        occurredAt: Timestamp
    ) {
        switch frame {
        case .narrowFix:
            guard payload.count == start + NarrowFix.length else { return nil }
            self.init(NarrowFix(payload, at: start), occurredAt: occurredAt)
        case .wideFix:
            guard let numbers = try? FixNumbers(wide: payload, from: start) else { return nil }
            self.init(numbers, occurredAt: occurredAt)
        case .fields:
            guard let fields = try? EventFields(payload, from: start),
                let fix = try? FixRecorded(fields).fix(occurredAt: occurredAt)
            else { return nil }
            self = fix
        case .supplemented, nil:
            return nil
        }
    }

    @inlinable @inline(__always)
    init?(_ narrow: NarrowFix, occurredAt: Timestamp) {
        guard
            let coordinate = Coordinate(
                latitude: Double(narrow.latitude) / 1e7,
                longitude: Double(narrow.longitude) / 1e7
            )
        else { return nil }
        self.init(
            occurredAt: occurredAt,
            coordinate: coordinate,
            accuracyMeters: narrow.accuracy < NarrowFix.minusOne
                ? Double(narrow.accuracy) / 10 : nil,
            speedMetersPerSecond: narrow.speed < NarrowFix.minusOne
                ? Double(narrow.speed) / 100 : nil,
            isMock: narrow.origin.isMock ?? false
        )
    }

    private init?(_ numbers: FixNumbers, occurredAt: Timestamp) {
        guard
            let coordinate = Coordinate(
                latitude: numbers.latitude.doubleValue,
                longitude: numbers.longitude.doubleValue
            )
        else { return nil }
        self.init(
            occurredAt: occurredAt,
            coordinate: coordinate,
            accuracyMeters: numbers.accuracy?.doubleValue,
            speedMetersPerSecond: numbers.speed?.doubleValue,
            isMock: numbers.origin.isMock ?? false
        )
    }
}
