import Geodesy
package import Projections
package import Tables
import TripEvents

/// A vehicle, registered or not, with the last reading of its odometer: `vehicle.v1.schema.json`.
package struct ListedVehicle: Tabular {
    /// The name that trips use for it.
    package let name: String

    /// The group that has it; `nil` for the owner's, which all groups have.
    package let group: String?

    private let registration: VehicleRegistered?
    private let lastReading: OdometerReading?

    /// Returns the vehicles of a book in their order.
    package static func all(in book: VehicleBook) -> [ListedVehicle] {
        book.names.flatMap { name in
            book.holders(of: name)
                .map { group in
                    ListedVehicle(
                        name: name,
                        group: group,
                        registration: book.vehicle(named: name, for: group)?.registration,
                        lastReading: book.readings(of: name, for: group).last
                    )
                }
        }
    }

    /// The columns.
    package static let columns = Columns<ListedVehicle> {
        Column.text("vehicle", "VEHICLE") { $0.name }.identifying
        Column.text("group", "GROUP") { $0.group }.optional
        Column.boolean("registered") { $0.registration != nil }
        Column.text("plate", "PLATE") { $0.registration?.plate }
        Column.text("make", "MAKE") { $0.registration?.make }
        Column.text("model", "MODEL") { $0.registration?.model }
        Column.day("in_service_since", "IN SERVICE") { $0.registration?.inServiceSince }
            .narrowing(.leaves(1))
        Column.name("vehicle_kind", "KIND") { $0.registration?.kind?.rawValue }
            .narrowing(.leaves(2))
        Column.integer("fiscal_power") { $0.registration?.fiscalPower }
        Column.boolean("electric") { $0.registration?.isElectric }
        Column.name("fuel") { $0.registration?.fuel?.rawValue }
        Column.integer("engine_cc") { $0.registration?.engine }
        Column.text("keeper", "KEEPER") { $0.registration?.keeper }
            .shown(onlyWhere: { $0.registration?.keeper != nil })
        Column.text("driver", "DRIVER") { $0.registration?.driver }
            .shown(onlyWhere: { $0.registration?.driver != nil })
        Column.decimal("odometer.value", "ODOMETER") { $0.lastReading?.reading.value }
        Column.name("odometer.unit", "UNIT") { $0.lastReading?.reading.unit.rawValue }
        Column.time("odometer.read_at", "READ") { $0.lastReading?.readAt }
            .narrowing(.leaves(0))
    }
}

extension OdometerComparison: Tabular {
    /// Readings of an odometer, beside the trips: `odometer.v1.schema.json`.
    package static let columns = Columns<OdometerComparison> {
        Column.text("vehicle") { $0.reading.reading.vehicle }
        Column.time("read_at", "READ") { $0.reading.readAt }
        Column.decimal("value", "ODOMETER") { $0.reading.reading.value }
        Column.name("unit", "UNIT") { $0.reading.reading.unit.rawValue }
        Column.distance("odometer_m") { $0.reading.distance }
        Column.distance("difference_m", "DIFFERENCE") { $0.difference }
        Column.distance("trips_m", "TRIPS") { $0.driven }
        Column.distance("rest_m", "REST") { $0.rest }
        Column.distance("spread_m", "SPREAD") { $0.spread }
            .narrowing(.leaves(4))
        Column.distance("unrecorded_m", "UNRECORDED") { $0.unrecorded }
            .narrowing(.leaves(5))
        Column.time("unrecorded_from", "FROM") { $0.idle.map { EventTime($0.from) } }
            .shown(as: { $0.idle.map { .dayAndMinute(EventTime($0.from)) } ?? .none })
            .narrowing(.leaves(4))
        Column.time("unrecorded_to", "TO") { $0.idle.map { EventTime($0.to) } }
            .shown(as: { $0.idle.map { .dayAndMinute(EventTime($0.to)) } ?? .none })
            .narrowing(.leaves(4))
        Column.thousandths("share", "SHARE") { $0.explainedThousandths }
            .shown(as: { compared in
                compared.explainedThousandths
                    .map { .name("\(FixedPoint.text($0, decimals: 1)) %") } ?? .none
            })
            .narrowing(.leaves(2))
        Column.boolean("backwards", "BACKWARDS") { $0.isBackwards }
            .narrowing(.leaves(3))
        Column.name("method", "METHOD") { $0.reading.reading.method?.rawValue }
            .narrowing(.leaves(1))
        Column.text("actor", "BY") { $0.reading.actor }
            .narrowing(.leaves(0))
        Column.time("corrected_at", "CORRECTED") { $0.reading.correctedAt }.optional
    }
}
