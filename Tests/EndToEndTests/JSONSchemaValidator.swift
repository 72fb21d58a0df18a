import Foundation

/// Validates JSON with a program that is not ours: Python's `jsonschema`.
enum JSONSchemaValidator {
    /// Why tests that need it are skipped.
    static let missing = "skipped: python3 has no jsonschema"

    /// Whether the program is there.
    static let isPresent = (try? run(["-c", "import jsonschema"], input: "").exitCode) == 0

    /// Where the schemas stand.
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()  // EndToEndTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()  // the repository
        .appendingPathComponent("Schemas")

    private static let suffix = ".v1.schema.json"

    /// Returns the names of the schemas in alphabetical order.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }
            .sorted()
    }

    /// Returns the examples of a schema that are `accepted` or `refused`, one line each.
    static func examples(of schema: String, _ kind: String) throws -> [String] {
        let folder = folder.appendingPathComponent("examples/\(schema)/\(kind)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map {
                let file = folder.appendingPathComponent($0)
                return try String(contentsOf: file, encoding: .utf8)
                    .trimmingCharacters(in: .newlines)
            }
    }

    /// Reads lines, and prints for each what is wrong with it, or an empty line.
    private static let program = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1], encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for line in sys.stdin:
            errors = [error.message for error in validator.iter_errors(json.loads(line))]
            print(" ".join("; ".join(errors).split()))
        """

    /// Returns what is wrong with each line according to a schema; empty texts where it is valid.
    static func complaints(about lines: [String], schema name: String) throws -> [String] {
        let schema = folder.appendingPathComponent(name + suffix).path
        let input = lines.map { $0 + "\n" }.joined()
        let outcome = try run(["-c", program, schema], input: input)
        guard outcome.exitCode == 0 else { throw Failure(errors: outcome.errors) }
        return Array(outcome.text.components(separatedBy: "\n").dropLast())
    }

    /// The program did not do its work.
    struct Failure: Error {
        var errors: String
    }

    private static func run(
        _ arguments: [String],
        input: String
    ) throws -> LedgerProcess.Outcome {
        // It keeps this process's environment, in which Python and its packages are found.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        return try LedgerProcess.outcome(of: process, input: Data(input.utf8))
    }
}
