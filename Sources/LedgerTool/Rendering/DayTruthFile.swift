import DriveSimulation
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// A file with what really happened on simulated days, one stream on a line.
///
/// It is JSON in the form of the truth of labelled streams: an object `streams` by source, each
/// with the preset that fits it, and `truth`, a list of what was done from when to when.
struct DayTruthFile: ~Copyable {
    private let path: FilePath
    private var file: NewFile
    private var isFirst = true

    /// Creates the file; nothing may be at the path.
    init(at path: String) throws {
        self.path = FilePath(path)
        file = try Self.create(self.path)
    }

    private static func create(_ path: FilePath) throws -> NewFile {
        do {
            var file = try NewFile(at: path)
            try file.write(Array("{\"streams\":{".utf8))
            return file
        } catch let error as Errno {
            throw LedgerError(
                error == .fileExists ? .alreadyThere : .inputOutput,
                at: path.string,
                cause: error.description,
                hint: error == .fileExists ? "Name another file, or remove this one" : ""
            )
        }
    }

    /// Adds the streams of a day.
    mutating func add(_ streams: [DayStream]) throws {
        for stream in streams {
            var bytes = Array((isFirst ? "\n" : ",\n").utf8)
            isFirst = false
            stream.appendTruth(to: &bytes)
            try LedgerError.translating(at: path) { try file.write(bytes) }
        }
    }

    /// Ends the file, and waits until it is on disk.
    mutating func finish() throws {
        try LedgerError.translating(at: path) {
            try file.write(Array("\n}}\n".utf8))
            try file.finish()
        }
    }
}

extension DayStream {
    /// Appends the source and its object.
    fileprivate func appendTruth(to bytes: inout [UInt8]) {
        JSONWriter.append(source, to: &bytes)
        bytes.append(contentsOf: ":{".utf8)
        Self.append("dataset", recorder.rawValue, to: &bytes)
        Self.append("preset", recorder.preset, to: &bytes)
        JSONWriter.appendName("has", to: &bytes)
        JSONWriter.append(recorder.hasMotionSensor ? ["motion"] : [], to: &bytes)
        JSONWriter.appendName("truth", to: &bytes)
        bytes.append(UInt8(ascii: "["))
        for (index, part) in parts.enumerated() {
            bytes.append(contentsOf: (index == 0 ? "{" : ",{").utf8)
            Self.append("start", RFC3339.text(part.start), to: &bytes)
            Self.append("end", RFC3339.text(part.end), to: &bytes)
            Self.append("mode", part.activity.rawValue, to: &bytes)
            JSONWriter.appendName("metres", to: &bytes)
            bytes.append(contentsOf: String(part.lengthMeters).utf8)
            if let looseness = part.looseness { Self.append("loose", looseness, to: &bytes) }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(contentsOf: "]}".utf8)
    }

    private static func append(_ name: String, _ text: String, to bytes: inout [UInt8]) {
        JSONWriter.appendName(name, to: &bytes)
        JSONWriter.append(text, to: &bytes)
    }
}
