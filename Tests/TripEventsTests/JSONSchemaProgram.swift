import Foundation
import Testing

/// An independent program that knows JSON Schema: Python with its `jsonschema` module.
enum JSONSchemaProgram {
    /// Whether it is there.
    static let isPresent = (try? run(["-c", "import jsonschema"], input: ""))?.status == 0

    /// What a test says that needs it.
    static let missing: Comment = "skipped: no python3 with the module jsonschema"

    private static let program = """
        import json, sys, jsonschema
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for line in sys.stdin.buffer:
            print(1 if validator.is_valid(json.loads(line)) else 0)
        """

    /// Returns, for each line, whether the schema of events accepts it.
    static func validate(_ lines: [String]) throws -> [Bool] {
        let result = try run(
            ["-c", program, SchemaFiles.schema.path],
            input: lines.joined(separator: "\n") + "\n"
        )
        #expect(result.status == 0)
        let verdicts = result.output.split(separator: "\n").map { $0 == "1" }
        try #require(verdicts.count == lines.count)
        return verdicts
    }

    private static func run(
        _ arguments: [String],
        input: String
    ) throws -> (status: Int32, output: String) {
        // A file, because a pipe that nobody empties would stop both sides.
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("ledger-schema-\(UUID().uuidString).jsonl")
        try input.write(to: file, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
