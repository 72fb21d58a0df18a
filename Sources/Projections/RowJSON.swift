package import TripEvents

/// Writes a row as a JSON object on one line, its members in the order of the calls.
package struct RowJSON {
    private var bytes: [UInt8]

    /// Begins an object.
    package init() {
        bytes = [UInt8(ascii: "{")]
        // What a trip needs: one allocation instead of one for each doubling.
        bytes.reserveCapacity(1_024)
    }

    /// The object, complete.
    package var object: [UInt8] {
        bytes + [UInt8(ascii: "}")]
    }

    /// Appends the object, complete.
    package func append(to output: inout [UInt8]) {
        output.append(contentsOf: bytes)
        output.append(UInt8(ascii: "}"))
    }

    /// Adds a text, or `null`.
    package mutating func add(_ name: String, text: String?) {
        guard let text else {
            addNull(name)
            return
        }
        addName(name)
        JSONWriter.append(text, to: &bytes)
    }

    /// Adds a list of texts.
    package mutating func add(_ name: String, texts: [String]) {
        addName(name)
        JSONWriter.append(texts, to: &bytes)
    }

    /// Adds the value of a custom field, or `null`.
    package mutating func add(_ name: String, value: CustomValue?) {
        addName(name)
        JSONWriter.append(value ?? .null, to: &bytes)
    }

    /// Adds custom fields as an object.
    package mutating func add(_ name: String, fields: CustomFields) {
        addName(name)
        JSONWriter.append(fields, to: &bytes)
    }

    /// Adds a whole number.
    package mutating func add(_ name: String, integer: Int64) {
        addName(name)
        FixedPoint.append(integer, decimals: 0, to: &bytes)
    }

    /// Adds thousandths as a number with exactly three decimals: 1,234 is `1.234`.
    package mutating func add(_ name: String, thousandths: Int64) {
        addName(name)
        FixedPoint.append(thousandths, decimals: 3, to: &bytes)
    }

    /// Adds a number as the shortest text that reads back as the same one; it MUST be finite.
    package mutating func add(_ name: String, double: Double) {
        precondition(double.isFinite, "JSON has no infinity and no NaN")
        addName(name)
        bytes.append(contentsOf: double.description.utf8)
    }

    /// Adds a time as RFC 3339 writes it, with its offset if that is known, or `null`.
    package mutating func add(_ name: String, time: EventTime?) {
        guard let time else {
            addNull(name)
            return
        }
        addName(name)
        bytes.append(UInt8(ascii: "\""))
        RFC3339.append(time.timestamp, utcOffset: time.utcOffset, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds an object with the members that `content` adds.
    package mutating func add(_ name: String, object content: (inout RowJSON) -> Void) {
        addName(name)
        bytes.append(UInt8(ascii: "{"))
        content(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Adds a list of objects, each complete.
    package mutating func add(_ name: String, objects: [RowJSON]) {
        addName(name)
        bytes.append(UInt8(ascii: "["))
        for (index, object) in objects.enumerated() {
            if index > 0 {
                bytes.append(UInt8(ascii: ","))
            }
            object.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds a list of objects that are written already, each complete.
    package mutating func add(_ name: String, written objects: [[UInt8]]) {
        addName(name)
        bytes.append(UInt8(ascii: "["))
        bytes.append(contentsOf: objects.joined(separator: [UInt8(ascii: ",")]))
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds a number exactly as it was reported.
    package mutating func add(_ name: String, number: ExactDecimal) {
        addName(name)
        bytes.append(contentsOf: number.description.utf8)
    }

    /// Adds `true` or `false`.
    package mutating func add(_ name: String, boolean: Bool) {
        addName(name)
        bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
    }

    /// Adds `null`.
    package mutating func addNull(_ name: String) {
        addName(name)
        bytes.append(contentsOf: "null".utf8)
    }

    private mutating func addName(_ name: String) {
        JSONWriter.appendName(name, to: &bytes)
    }
}
