import DriveSimulation
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// A file with the truth about simulated days, one stream on a line.
///
/// Days that come one after the other from the same source are one stream.
///
/// It is JSON in the form of the truth of labelled streams: an object `streams` by source, each
/// with the preset that fits it, and `truth`, a list of activities with their times.
struct DayTruthFile: ~Copyable {
    private let path: FilePath
    private var file: NewFile
    private var source: String?

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
            var bytes: [UInt8] = []
            if stream.source != source {
                bytes.append(contentsOf: (source == nil ? "\n" : "]},\n").utf8)
                stream.appendBeginning(to: &bytes)
            }
            stream.appendParts(isFirst: stream.source != source, to: &bytes)
            source = stream.source
            try LedgerError.translating(at: path) { try file.write(bytes) }
        }
    }

    /// Ends the file, and waits until it is on disk.
    mutating func finish() throws {
        let end = source == nil ? "\n}}\n" : "]}\n}}\n"
        try LedgerError.translating(at: path) {
            try file.write(Array(end.utf8))
            try file.finish()
        }
    }
}

extension DayStream {
    /// Appends the source and its object, up to the list of what was done.
    fileprivate func appendBeginning(to bytes: inout [UInt8]) {
        JSONWriter.append(source, to: &bytes)
        bytes.append(contentsOf: ":{".utf8)
        Self.append("dataset", recorder.rawValue, to: &bytes)
        Self.append("preset", recorder.preset, to: &bytes)
        JSONWriter.appendName("has", to: &bytes)
        JSONWriter.append(recorder.hasMotionSensor ? ["motion"] : [], to: &bytes)
        JSONWriter.appendName("truth", to: &bytes)
        bytes.append(UInt8(ascii: "["))
    }

    /// Appends what was done to the list.
    fileprivate func appendParts(isFirst: Bool, to bytes: inout [UInt8]) {
        for (index, part) in parts.enumerated() {
            bytes.append(contentsOf: (isFirst && index == 0 ? "{" : ",{").utf8)
            Self.append("start", RFC3339.text(part.start), to: &bytes)
            Self.append("end", RFC3339.text(part.end), to: &bytes)
            Self.append("mode", part.activity.rawValue, to: &bytes)
            JSONWriter.appendName("metres", to: &bytes)
            bytes.append(contentsOf: String(part.lengthMeters).utf8)
            if let looseness = part.looseness { Self.append("loose", looseness, to: &bytes) }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ name: String, _ text: String, to bytes: inout [UInt8]) {
        JSONWriter.appendName(name, to: &bytes)
        JSONWriter.append(text, to: &bytes)
    }
}
