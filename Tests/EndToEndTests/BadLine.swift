import Foundation
import Testing

/// A line that is bad, or odd, and what must become of it.
struct BadLine: Sendable, CustomTestStringConvertible {
    /// The name of its oddity.
    var name: String

    /// The line with its end.
    var bytes: [UInt8]

    /// The code of the rejection; `nil` for an odd line that is fine.
    var code: String?

    var testDescription: String { name }

    init(_ name: String, _ line: String, _ code: String?) {
        self.init(name, Array(line.utf8), code)
    }

    init(_ name: String, _ line: [UInt8], _ code: String?) {
        self.name = name
        bytes = line + Array("\n".utf8)
        self.code = code
    }

    /// A fix like the good ones, with something else in place of its latitude.
    static func fix(_ name: String, lat: String, _ code: String?) -> BadLine {
        BadLine(name, line(#""lat":\#(lat),"lon":4.362"#), code)
    }

    /// A fix like the good ones, with other members.
    static func line(
        _ members: String,
        time: String = #""2025-03-03T08:31:00+01:00""#
    ) -> String {
        #"{"type":"fix_recorded","source":"phone","occurred_at":\#(time),\#(members)}"#
    }
}
