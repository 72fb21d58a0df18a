import Foundation
import TestSupport
import Testing

/// Programs that must not compile, because what they do would be undefined, do not.
@Suite(.serialized) struct MisuseTests {
    @Test(arguments: try Probe.all)
    func `misuse does not compile, and use does`(probe: Probe) throws {
        let result = try Compiler.ofThisBuild(as: probe.module).check(probe.url)
        guard let fragment = probe.expectedFragment else {
            #expect(result.succeeded, "\(result.messages)")
            return
        }
        #expect(!fragment.isEmpty)
        #expect(!result.succeeded)
        let errors = result.messages.split(separator: "\n").filter { $0.contains("error: ") }
        #expect(errors.contains { $0.contains(fragment) }, "\(result.messages)")
    }

    @Test func `every kind of misuse is probed, and one program of each kind is right`() throws {
        let probes = try Probe.all
        #expect(
            probes.filter { $0.expectedFragment == nil }.map(\.description)
                == ["AllowedLogUse", "AllowedUse", "AllowedViewUse"]
        )
        #expect(Dictionary(grouping: probes, by: \.module).values.allSatisfy { $0.count > 4 })
    }
}

/// A program in Tests/LMDBMisuse.
struct Probe: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    let url: URL

    /// A part of the compiler's message, or `nil` if it must accept the program.
    let expectedFragment: String?

    /// The tests that are built with what the program imports.
    let module: String

    var description: String { url.deletingPathExtension().lastPathComponent }
    var testDescription: String { description }

    static var all: [Probe] {
        get throws {
            let directory = URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("LMDBMisuse")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            return try names.filter { $0.hasSuffix(".swift") }.sorted()
                .map { name in
                    let url = directory.appendingPathComponent(name)
                    let text = try String(contentsOf: url, encoding: .utf8)
                    let head = text.split(separator: "\n").prefix(2)
                    func said(after mark: String) -> String? {
                        head.first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
                    }
                    return Probe(
                        url: url,
                        expectedFragment: said(after: "// expect: "),
                        module: said(after: "// built as: ") ?? "LMDBTests"
                    )
                }
        }
    }
}

/// The compiler as the running build uses it for the tests of a module.
struct Compiler {
    struct Description: Decodable {
        struct Command: Decodable {
            let moduleName: String
            let executable: String
            let importPath: String
            let otherArguments: [String]
        }

        let swiftCommands: [String: Command]
    }

    struct Outcome {
        let succeeded: Bool
        let messages: String
    }

    struct NoBuildDescription: Error {}

    private let executable: String
    private let arguments: [String]

    /// The build's description beside the running test program, megabytes, which is read once.
    private static let description = Result {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let file = program.deletingLastPathComponent().appendingPathComponent("description.json")
        return try JSONDecoder().decode(Description.self, from: Data(contentsOf: file))
    }

    /// Finds what the build uses for the tests of a module.
    static func ofThisBuild(as module: String) throws -> Compiler {
        let description = try description.get()
        let command = description.swiftCommands.values.first { $0.moduleName == module }
        guard let command else { throw NoBuildDescription() }
        return Compiler(command)
    }

    private init(_ command: Description.Command) {
        executable = command.executable
        var kept = ["-I", command.importPath]
        // The arguments that decide on meaning and find modules; the rest is about output.
        let paired: Set = [
            "-target", "-Xcc", "-package-name", "-swift-version", "-enable-upcoming-feature",
            "-enable-experimental-feature", "-module-cache-path", "-sdk", "-I",
        ]
        var rest = command.otherArguments[...]
        while let argument = rest.popFirst() {
            guard paired.contains(argument), let value = rest.popFirst() else { continue }
            kept += [argument, value]
        }
        arguments = kept
    }

    /// Compiles a program up to the point where lifetimes and exclusive access are checked.
    ///
    /// Type checking alone would not do: those errors come from the passes after it.
    func check(_ source: URL) throws -> Outcome {
        let compiler = Subprocess(
            URL(fileURLWithPath: executable),
            arguments: arguments
                + ["-parse-as-library", "-emit-sil", "-o", "/dev/null", source.path]
        )
        let outcome = try compiler.outcome()
        return Outcome(
            succeeded: outcome.exitCode == 0,
            messages: outcome.text + outcome.errors
        )
    }
}
