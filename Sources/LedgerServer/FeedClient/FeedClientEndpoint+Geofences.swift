import Hummingbird
import JSONText
import TripEvents
import TripLedger

// Geofences: places that are saved and removed.
extension FeedClientEndpoint {
    /// The paths of geofences.
    var geofenceRoutes: [Route] {
        [
            route(
                .get,
                "geofences",
                "Geofences, which are places",
                [
                    Parameter(
                        "active",
                        .word(["true", "false"]),
                        "Only those that are active, or not"
                    )
                ],
                asList: true,
                for: Self.readers,
                listGeofences
            ),
            route(
                .post,
                "geofences",
                "Makes a geofence",
                taking: ClientPlaces.members,
                for: Self.owners,
                makeGeofence
            ),
            route(.get, "geofences/{geofence}", "A geofence", for: Self.readers) {
                call async throws(Problem) in
                Self.response(try await geofence(call.words[0]).value)
            },
            route(
                .put,
                "geofences/{geofence}",
                "Changes a geofence",
                taking: ClientPlaces.members.optional,
                for: Self.owners,
                changeGeofence
            ),
            route(
                .delete,
                "geofences/{geofence}",
                "Deletes a geofence",
                for: Self.owners,
                deleteGeofence
            ),
        ]
    }

    private func places() async throws(Problem) -> ClientPlaces {
        try await reader.read { try ClientPlaces(in: $0) }
    }

    private func geofence(_ id: String) async throws(Problem) -> ClientObject {
        guard let geofence = try await places().geofence(id) else { throw .noSuchID }
        return geofence.object(of: user)
    }

    private func listGeofences(_ call: Call) async throws(Problem) -> Response {
        let asked = call.query.text("active").map { $0 == "true" }
        let some = try await places().all.filter { asked == nil || $0.isActive == asked }
        return Self.response(.list(some.map { $0.object(of: user).value }))
    }

    private func makeGeofence(_ call: Call) async throws(Problem) -> Response {
        try await answer(call) { request async throws(Problem) in
            let places = try await places()
            let (id, event) = try Self.checking { () throws(ClientComplaint) in
                let id = try request.newID()
                let (place, added) = try ClientPlaces.saving(request.object, over: nil, named: id)
                let eventID = "geofence:\(id)"
                return (
                    id,
                    try request.author.event(.placeSaved(place), id: eventID, adding: added)
                )
            }
            let receipts = try await store([event])
            if case .conflict = receipts.first {
                let posted = places.posted(as: event.id ?? "")
                throw .clientKeyReused(Self.differences(event, posted))
            }
            var isReplayed = false
            if case .duplicate = receipts.first { isReplayed = true }
            // It may have been deleted since it was made.
            let object =
                try await self.places().geofence(id)?.object(of: user)
                ?? places.posted(as: event.id ?? "")?.object(of: user)
            return Self.made(object ?? request.object, isReplayed: isReplayed)
        }
    }

    /// Returns in what a geofence differs from the one that was made under its id.
    private static func differences(
        _ event: TripEvent,
        _ posted: ClientPlaces.Geofence?
    ) -> [String] {
        guard let posted, case .placeSaved(let place) = event.body else { return ["id"] }
        let saved = posted.saved
        let pairs = [
            ("name", place.label == saved.label), ("latitude", place.latitude == saved.latitude),
            ("longitude", place.longitude == saved.longitude),
            ("radius", place.radiusMeters == saved.radiusMeters),
        ]
        let differing = pairs.filter { !$0.1 }.map(\.0)
        return differing.isEmpty ? ["is_active"] : differing
    }

    private func changeGeofence(_ call: Call) async throws(Problem) -> Response {
        let id = call.words[0]
        return try await answer(call) { request async throws(Problem) in
            guard let old = try await places().geofence(id) else { throw .noSuchID }
            let event = try Self.checking { () throws(ClientComplaint) in
                let (place, added) = try ClientPlaces.saving(
                    request.object,
                    over: old,
                    named: old.saved.place
                )
                return try request.author.event(.placeSaved(place), adding: added)
            }
            if !old.isSaid(by: event) { try await store([event]) }
            return Self.response(try await geofence(old.id).value)
        }
    }

    private func deleteGeofence(_ call: Call) async throws(Problem) -> Response {
        let name = ClientID.name(of: call.words[0])
        if let geofence = try await places().geofence(call.words[0]) {
            let removed = PlaceRemoved(place: geofence.saved.place)
            try await store([author(call).event(.placeRemoved(removed))])
            return Self.deleted
        }
        let wasThere = try await reader.read { snapshot in
            try snapshot.places().versions.contains { $0.name == name }
        }
        guard wasThere else { throw .noSuchID }
        return Self.deleted
    }
}

extension ClientPlaces {
    /// Reads the geofences of a ledger.
    init(in snapshot: borrowing Snapshot) throws {
        self.init(try snapshot.places(), try snapshot.decisions(on: .places))
    }
}

extension ClientPlaces.Geofence {
    /// Whether saving the place so changes nothing.
    fileprivate func isSaid(by event: TripEvent) -> Bool {
        guard case .placeSaved(let place) = event.body else { return false }
        let names = added.members.map(\.name)
        var after = added
        after.merge(ClientObject(addedTo: event), names)
        let isAdded = ClientObject(addedTo: event).members.allSatisfy { names.contains($0.name) }
        return place == saved && isAdded && after.bytes == added.bytes
            && isActive == after.isActive
    }
}

extension ClientObject {
    /// Whether a geofence that this was added to is looked at.
    fileprivate var isActive: Bool {
        if case .boolean(false) = self["is_active"] { false } else { true }
    }
}
