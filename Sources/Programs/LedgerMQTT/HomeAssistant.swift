import Geodesy
import JSONText
import Platform
import Projections
import TripEvents
import TripLedger

/// The messages to Home Assistant: a device with sensors, by its MQTT discovery, and their state.
struct HomeAssistant {
    /// A sensor of the device.
    private struct Sensor {
        var component = "sensor"
        var key: String
        var name: String
        var template: String
        var members: [(String, String)] = []
    }

    private let ledger: Ledger
    private let settings: BrokerSettings
    private let prefix: String

    /// Prepares to tell of a ledger, under the prefix of discovery.
    init(of ledger: Ledger, _ settings: BrokerSettings, under prefix: String) {
        self.ledger = ledger
        self.settings = settings
        self.prefix = prefix
    }

    /// A topic with the message to retain for it.
    typealias Publication = (topic: String, payload: [UInt8])

    /// Returns the sensors, as discovery wants to know them.
    ///
    /// - Parameter state: The state: vehicles with readings have a sensor each.
    /// - Returns: A topic for each sensor.
    func discovery(of state: HomeAssistantState) -> [Publication] {
        let distance = [
            ("device_class", "distance"), ("state_class", "total_increasing"),
            ("unit_of_measurement", state.unit.rawValue),
        ]
        var sensors = [
            Sensor(
                component: "binary_sensor",
                key: "trip_active",
                name: "Trip",
                template: "{{ value_json.trip_active }}",
                members: [("device_class", "moving")]
            ),
            Sensor(
                component: "binary_sensor",
                key: "source_silent",
                name: "Source silent",
                template: "{{ value_json.source_silent }}",
                members: [("device_class", "problem")]
            ),
            Sensor(
                key: "distance_today",
                name: "Distance today",
                template: "{{ value_json.distance_today }}",
                members: distance
            ),
            Sensor(
                key: "inbox",
                name: "Trips that wait",
                template: "{{ value_json.inbox }}",
                members: [("state_class", "measurement")]
            ),
        ]
        for tripClass in TripClass.allCases {
            sensors.append(
                Sensor(
                    key: "distance_month_\(tripClass.rawValue)",
                    name: "Distance this month: \(tripClass.rawValue)",
                    template: "{{ value_json.distance_month.\(tripClass.rawValue) }}",
                    members: distance
                )
            )
        }
        for (index, reading) in state.odometers.enumerated() {
            sensors.append(
                Sensor(
                    key: "odometer_\(Self.word(reading.vehicle))",
                    name: "Odometer: \(reading.vehicle)",
                    template: "{{ value_json.odometers[\(index)] }}",
                    members: distance
                )
            )
        }
        return sensors.map(publication)
    }

    private func publication(of sensor: Sensor) -> Publication {
        let id = "\(settings.name)_\(ledger.founding.ledger)_\(sensor.key)"
        var json = Self.object(
            [
                ("name", sensor.name), ("unique_id", id),
                ("object_id", "trip_ledger_\(sensor.key)"),
                ("state_topic", settings.stateTopic), ("value_template", sensor.template),
                ("availability_topic", settings.availabilityTopic),
            ] + sensor.members
        )
        json.removeLast()
        let device = Self.object([("name", "Trip Ledger"), ("manufacturer", "Trip Ledger")])
        json += #","device":"#.utf8 + device.dropLast() + #","identifiers":["#.utf8
        JSONWriter.append("trip_ledger_\(ledger.founding.ledger)", to: &json)
        json += #"]}}"#.utf8
        return ("\(prefix)/\(sensor.component)/\(settings.name)/\(sensor.key)/config", json)
    }

    private static func object(_ members: [(String, String)]) -> [UInt8] {
        var json = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            JSONWriter.append(member.0, to: &json)
            json.append(UInt8(ascii: ":"))
            JSONWriter.append(member.1, to: &json)
        }
        return json + [UInt8(ascii: "}")]
    }

    /// Returns a name as topics and ids may have it; other bytes become two digits each.
    private static func word(_ name: String) -> String {
        let digits = Array("0123456789abcdef")
        return name.utf8.reduce(into: "") { word, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                word.append(Character(UnicodeScalar(byte)))
            default: word += "_\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}

/// What the sensors show at an instant.
struct HomeAssistantState: Equatable {
    /// A vehicle with what its odometer showed last.
    struct Odometer: Equatable {
        var vehicle: String
        var distance: Distance
    }

    /// The unit of distances.
    private(set) var unit = DistanceUnit.kilometers

    /// What odometers showed last.
    private(set) var odometers: [Odometer] = []

    private var isActive = false
    private var isSilent = false
    private var today = Distance.zero
    private var month: [TripClass: Distance] = [:]
    private var inbox = 0

    /// Reads the state.
    ///
    /// - Throws: `LedgerError`.
    init(_ snapshot: borrowing Snapshot, at now: Timestamp) throws(LedgerError) {
        let clock = try snapshot.requireClock()
        let status = try snapshot.status(asOf: now)
        unit = status.units
        isActive = status.sources.contains { $0.bookedTrip != nil }
        isSilent = try !snapshot.silentSources(asOf: now).isEmpty
        let day = clock.day(of: EventTime(now))
        if let first = CivilDate(year: day.year, month: day.month, day: 1) {
            let filter = TripFilter(period: LocalPeriod(from: first, to: day, localDay: clock))
            for row in try snapshot.trips(filter) {
                let booked = row.booked
                month[booked.tripClass, default: .zero] += booked.claimedDistance
                if clock.day(of: booked.trip.startedAt) == day { today += booked.claimedDistance }
            }
        }
        var waiting = TripFilter()
        waiting.waitsForDetails = true
        inbox = try snapshot.trips(waiting).count
        let vehicles = try snapshot.vehicles()
        odometers = vehicles.names.compactMap { name in
            vehicles.readings(of: name).last.map { Odometer(vehicle: name, distance: $0.distance) }
        }
    }

    /// The state as JSON.
    var json: [UInt8] {
        var json = Array(#"{"trip_active":"\#(isActive ? "ON" : "OFF")""#.utf8)
        json += #","source_silent":"\#(isSilent ? "ON" : "OFF")""#.utf8
        json += #","distance_today":\#(number(today)),"inbox":\#(inbox),"distance_month":{"#.utf8
        json +=
            TripClass.allCases.map { #""\#($0.rawValue)":\#(number(month[$0] ?? .zero))"# }
            .joined(separator: ",").utf8
        json += #"},"odometers":["#.utf8
        json += odometers.map { number($0.distance) }.joined(separator: ",").utf8
        return json + "]}".utf8
    }

    /// Returns a distance in the ledger's unit, to three decimals.
    private func number(_ distance: Distance) -> String {
        let thousandths =
            unit == .kilometers
            ? distance.millimeters / 1_000
            : Int64((distance.meters / 1.609_344).rounded())
        return FixedPoint.text(thousandths, decimals: 3)
    }
}
