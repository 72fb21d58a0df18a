package import TripEvents

/// Writes a JSON object on one line, its members in the order of the calls.
package struct RowJSON {
    private var bytes = [UInt8(ascii: "{")]

    /// Begins an object.
    package init() {
        // Enough for most objects: one allocation instead of one for each doubling.
        bytes.reserveCapacity(1_024)
    }

    /// The object, complete.
    package var object: [UInt8] {
        bytes + [UInt8(ascii: "}")]
    }

    /// Adds a text.
    package mutating func add(_ name: String, text: String) {
        addName(name)
        JSONWriter.append(text, to: &bytes)
    }

    /// Adds a list of texts.
    package mutating func add(_ name: String, texts: [String]) {
        addName(name)
        JSONWriter.append(texts, to: &bytes)
    }

    /// Adds a list of objects, each complete.
    package mutating func add(_ name: String, objects: [[UInt8]]) {
        addName(name)
        bytes.append(UInt8(ascii: "["))
        bytes += objects.joined(separator: [UInt8(ascii: ",")])
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds an object.
    package mutating func add(_ name: String, object: [UInt8]) {
        addName(name)
        bytes += object
    }

    /// Adds a whole number.
    package mutating func add(_ name: String, integer: Int64) {
        addName(name)
        FixedPoint.append(integer, decimals: 0, to: &bytes)
    }

    /// Adds a time as RFC 3339 writes it, with its offset if that is known.
    package mutating func add(_ name: String, time: EventTime) {
        addName(name)
        bytes.append(UInt8(ascii: "\""))
        RFC3339.append(time.timestamp, utcOffset: time.utcOffset, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds `true` or `false`.
    package mutating func add(_ name: String, boolean: Bool) {
        addName(name)
        bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
    }

    private mutating func addName(_ name: String) {
        JSONWriter.appendName(name, to: &bytes)
    }
}
