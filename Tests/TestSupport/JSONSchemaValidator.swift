public import Foundation
import Synchronization
public import Testing

/// Validates JSON with a program that is not ours: Python with its module `jsonschema`.
///
/// The program starts with the first question and ends with the tests, one for all of them: its
/// start takes longer than a hundred answers.
public enum JSONSchemaValidator {
    /// Why tests that need it are skipped.
    public static let missing: Comment = "skipped: python3 has no jsonschema"

    /// Whether the program is there.
    public static let isPresent = (try? complaints(about: ["{}"], schema: "receipt")) != nil

    /// The folder of the schemas.
    public static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()  // TestSupport
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()  // the repository
        .appendingPathComponent("Schemas")

    private static let suffix = ".v1.schema.json"

    /// Returns the file of a schema.
    public static func file(of schema: String) -> URL {
        folder.appendingPathComponent(schema + suffix)
    }

    /// Returns the names of the schemas in alphabetical order.
    public static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }
            .sorted()
    }

    /// Returns the examples of a schema that are `accepted` or `refused`, one line each.
    public static func examples(of schema: String, _ kind: String) throws -> [String] {
        let folder = folder.appendingPathComponent("examples/\(schema)/\(kind)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map {
                let file = folder.appendingPathComponent($0)
                return try String(contentsOf: file, encoding: .utf8)
                    .trimmingCharacters(in: .newlines)
            }
    }

    /// Returns what is wrong with each line according to a schema; empty texts where it is valid.
    public static func complaints(about lines: [String], schema name: String) throws -> [String] {
        try complaints(about: lines, at: file(of: name).path)
    }

    /// Returns what is wrong with each line according to a schema at a place.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - place: The path of a schema; or of an OpenAPI document, a `#`, and a JSON pointer to a
    ///     schema in it.
    /// - Returns: What is wrong with each; empty texts where it is valid.
    /// - Throws: `NoAnswer` if the program cannot say it.
    package static func complaints(about lines: [String], at place: String) throws -> [String] {
        let answer = try answer(to: [place] + lines)
        guard answer.count == lines.count else {
            throw NoAnswer(complaint: "\(lines.count) lines, \(answer.count) answers")
        }
        return answer
    }

    /// The program failed, or said something else than an answer.
    struct NoAnswer: Error {
        /// Its complaint.
        let complaint: String
    }

    private static func answer(to question: [String]) throws -> [String] {
        let line = try JSONEncoder().encode(question) + Data("\n".utf8)
        let answer = try program.withLock { program in
            let running = try program ?? Program()
            program = running
            return try running.answer(to: line)
        }
        return try JSONDecoder().decode(Answer.self, from: answer).checked()
    }

    /// The program, which answers one question after the other.
    private static let program = Mutex<Program?>(nil)

    /// What the program answers.
    private struct Answer: Decodable {
        /// What is wrong with each line.
        var complaints: [String]?

        /// Why the program cannot say it.
        var failure: String?

        /// Returns what is wrong with each line.
        ///
        /// - Throws: `NoAnswer` if the program cannot say it.
        func checked() throws -> [String] {
            guard let complaints else { throw NoAnswer(complaint: failure ?? "no answer") }
            return complaints
        }
    }

    /// The program while it runs; it ends when its input does, at the end of the tests.
    private final class Program {
        /// A question is a line: the path of a schema and lines, as an array.
        ///
        /// An answer is a line too, and the first line says that the program is there.
        private static let text = """
            import json, sys, traceback
            from jsonschema import Draft202012Validator

            validators, documents = {}, {}

            def schema(place):
                path, _, pointer = place.partition("#")
                if path not in documents:
                    documents[path] = json.load(open(path, encoding="utf-8"))
                part = document = documents[path]
                for word in pointer.split("/")[1:]:
                    part = part[word.replace("~1", "/").replace("~0", "~")]
                # What it refers to is found where it would be in the document.
                return {**part, "components": document["components"]} if pointer else part

            def complaints(place, *lines):
                if place not in validators:
                    Draft202012Validator.check_schema(schema(place))
                    validators[place] = Draft202012Validator(schema(place))
                return [
                    " ".join("; ".join(error.message for error in
                                       validators[place].iter_errors(json.loads(line))).split())
                    for line in lines]

            print("ready", flush=True)
            for question in sys.stdin.buffer:
                try:
                    answer = {"complaints": complaints(*json.loads(question))}
                except Exception:
                    answer = {"failure": traceback.format_exc()}
                print(json.dumps(answer), flush=True)
            """

        private let process = Subprocess(
            URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["python3", "-c", Program.text]
        )
        private let questions = Pipe()
        private let answers = Pipe()

        /// Starts the program.
        ///
        /// - Throws: `NoAnswer` if Python or its module is missing; `Errno`.
        init() throws {
            process.standardInput = .pipe(questions)
            process.standardOutput = .pipe(answers)
            process.standardError = .null
            try process.start()
            _ = try nextLine()
        }

        /// Asks a question, which is a line, and waits for the line with the answer.
        func answer(to question: Data) throws -> Data {
            try questions.fileHandleForWriting.write(contentsOf: question)
            return try nextLine()
        }

        private func nextLine() throws -> Data {
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let more = answers.fileHandleForReading.availableData
                guard !more.isEmpty else { throw NoAnswer(complaint: "the program has ended") }
                line += more
            }
            return line
        }
    }
}
