/// What others call the columns of tables of fixes and of trips, as far as tables were seen.
enum ColumnAliases {
    /// A name of a column, and the unit that is written in it: `Distance (km)`.
    struct Name {
        /// The name without the unit, as ``ColumnHeader/plain(_:)`` has it; nothing if it is only a
        /// unit, such as `Miles`.
        var plain: String

        /// The unit; `nil` if there is none in the name.
        var unit: ColumnMap.Unit?

        /// Takes a name apart.
        init(_ written: String) {
            var words = Self.words(of: written)
            // A single letter is more often a name than a unit, but at the end.
            if let last = words.last, let unit = ColumnMap.Unit.spelled(last) {
                self.unit = unit
                words.removeLast()
            } else if let first = words.first, first.count > 1,
                let unit = ColumnMap.Unit.spelled(first)
            {
                self.unit = unit
                words.removeFirst()
            }
            plain = words.joined()
        }

        /// Returns the words of a name, in small letters, of which a speed's unit is one.
        private static func words(of written: String) -> [String] {
            var text = written.lowercased()
            // Fast paths: few names have a unit of speeds in them, and nearly every one is ASCII.
            if text.utf8.contains(UInt8(ascii: "/")) {
                text = text.replacing("km/h", with: "kmh").replacing("m/s", with: "mps")
                    .replacing("mi/h", with: "mph")
            }
            guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
                return text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            }
            return text.utf8.split { !$0.isSmallLetterOrDigit }.map { String(Substring($0)) }
        }
    }

    /// Finds the column that a field most likely stands in.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - names: The names of the columns.
    ///   - isTime: Whether what stands in a column looks like times: `Start` may be one, or a
    ///     place.
    /// - Returns: The index of the column; `nil` if none is called like the field.
    static func index(
        of field: ColumnMap.Field,
        in names: [Name],
        isTime: (Int) -> Bool
    ) -> Int? {
        for alias in aliases[field] ?? [] {
            let index = names.indices.first { index in
                let name = names[index]
                guard name.plain == alias else { return false }
                // `Miles` is a distance, and `Start (km)` an odometer, but `Minutes` is neither.
                if let unit = name.unit { return field.units.contains(unit) }
                guard !alias.isEmpty else { return false }
                guard ambiguous.contains(alias) else { return true }
                return field.isTime == isTime(index)
            }
            if let index { return index }
        }
        return nil
    }

    /// Names that are those of times in one table, and of places in the other.
    private static let ambiguous: Set<String> = ["start", "end", "stop", "begin", "finish"]

    private static let aliases: [ColumnMap.Field: [String]] = [
        .source: ["deviceid", "device", "tracker", "trackerid"],
        .time: [
            "time", "timestamp", "datetime", "dateandtime", "utc", "utctime", "fixtime", "gpstime",
            "recordedat", "occurredat", "localtime", "date",
        ],
        .latitude: ["lat", "latitude", "latdeg", "latitudens", "gpslatitude", "y"],
        .longitude: [
            "lon", "lng", "long", "longitude", "londeg", "longitudeew", "gpslongitude", "x",
        ],
        .accuracy: ["accuracy", "acc", "horizontalaccuracy", "hacc"],
        .altitude: ["altitude", "elevation", "ele", "alt", "height"],
        .speed: ["speed", "velocity", "vel", "spd", "groundspeed", ""],
        .course: ["course", "bearing", "heading", "cog", "direction"],
        .provider: ["provider"],
        .mock: ["mock", "ismock"],
        .startedAt: [
            "startedat", "starttime", "startdate", "startdatetime", "timestarted", "departuretime",
            "departure", "tripstart", "startofftrip", "begintime", "start", "begin", "datetime",
            "date", "tripdate",
        ],
        .endedAt: [
            "endedat", "endtime", "enddate", "enddatetime", "timeended", "arrivaltime", "arrival",
            "tripend", "stoptime", "finishtime", "end", "stop", "finish",
        ],
        .duration: ["duration", "triptime", "drivetime", "elapsed", "traveltime"],
        .distance: [
            "distance", "tripdistance", "totaldistance", "mileage", "driven", "length",
            "triplength", "distancedriven", "",
        ],
        .origin: [
            "from", "origin", "startaddress", "startlocation", "startplace", "fromaddress",
            "fromlocation", "startingpoint", "startpoint", "departurelocation", "fromfulladdress",
            "start", "begin",
        ],
        .destination: [
            "to", "destination", "endaddress", "endlocation", "endplace", "toaddress",
            "tolocation", "stoplocation", "stopaddress", "endpoint", "arrivallocation",
            "tofulladdress", "end", "stop", "finish",
        ],
        .title: ["title", "name", "tripname"],
        .purpose: ["purpose", "reason", "businesspurpose", "trippurpose", "purposeoftrip"],
        .notes: ["notes", "note", "comment", "comments", "description", "remarks"],
        .category: ["category", "tag", "tags"],
        .client: ["client", "customer", "company", "incomesource"],
        .tripClass: [
            "class", "classification", "type", "triptype", "typeoftrip", "workpersonal", "kind",
        ],
        .vehicle: ["vehicle", "car", "vehiclename", "licenseplate", "registration"],
        .zone: ["timezone"],
        .parking: ["parking", "parkingfees"],
        .tolls: ["tolls", "toll", "tollfees"],
        .odometerStart: [
            "odometerstart", "startodometer", "startingodometer", "beginningodometer",
            "odometerbegin", "startmileage", "odostart", "start",
        ],
        .odometerEnd: [
            "odometerend", "endodometer", "endingodometer", "odometerstop", "endmileage", "odoend",
            "end",
        ],
    ]
}
