import JSONText
import TripEvents

/// What a message of a car's own logger says: one property, without a time.
enum CarMessage {
    /// An event.
    case event(EventBody)

    /// Nothing that a ledger has a use for.
    case nothing

    /// Something that should have been an event; a sentence says why it is not.
    case unreadable(String)

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - message: The message; the last level of its topic names the property.
    ///   - taken: How it is read.
    init(_ message: BrokerMessage, _ taken: BrokerSettings.Taken) {
        let text = String(decoding: message.payload, as: UTF8.self)
        if taken.form == .odometer {
            self = Self.reading(text, taken)
            return
        }
        switch message.topic.split(separator: "/").last {
        case "odometer": self = Self.reading(text, taken)
        case "location": self = Self.fix(message.payload)
        case "shift_state": self = Self.motion(text)
        default: self = .nothing
        }
    }

    private static func reading(_ text: String, _ taken: BrokerSettings.Taken) -> CarMessage {
        guard let vehicle = taken.vehicle else { return .nothing }
        guard let value = ExactDecimal(literal: text) else {
            return .unreadable("The odometer's reading is no number.")
        }
        let reading = OdometerRead(
            vehicle: vehicle,
            value: value,
            unit: taken.unit,
            method: .onBoardDiagnostics
        )
        return .event(.odometerRead(reading))
    }

    private static func fix(_ payload: [UInt8]) -> CarMessage {
        guard let json = try? JSONValue(payload.span),
            case .number(let latitude)? = json["latitude"],
            case .number(let longitude)? = json["longitude"],
            let latitude = ExactDecimal(literal: latitude),
            let longitude = ExactDecimal(literal: longitude)
        else { return .unreadable("The location has no latitude and longitude.") }
        let fix = FixRecorded(
            latitude: latitude,
            longitude: longitude,
            accuracy: 10,
            provider: .gps
        )
        return .event(.fixRecorded(fix))
    }

    /// A car that is not parked is driven.
    private static func motion(_ text: String) -> CarMessage {
        switch text {
        case "D", "R", "N":
            .event(.motionChanged(MotionChanged(state: .automotive, confidence: .high)))
        case "P": .event(.motionChanged(MotionChanged(state: .stationary, confidence: .high)))
        default: .unreadable("The shift state is none of P, D, R and N.")
        }
    }
}
