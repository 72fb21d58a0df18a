import Foundation
import Testing

/// The rules that look at the repository as a whole; each has a control that breaks it.
@Suite struct RepositoryRuleTests {
    @Test func `each module is in the room that the package says`() {
        #expect(Repository.modules == House.manifest.rooms)
        #expect(Set(Repository.modules.values).isSubset(of: House.rooms))
        let places = Set(Repository.sources.flatMap(\.places))
        #expect(House.core.union(House.memoryKeepers).union(House.system.keys).isSubset(of: places))
    }

    @Test func `modules depend on their room and the rooms below`() {
        let graph = House.manifest
        #expect(Self.climbers(in: graph) == [])
        let heart = SwiftSource(
            path: "Package.swift",
            text: """
                module("A", in: "Heart", dependencies: ["B", "C", systemPackage])
                module("B", in: "Ledger")
                module("C", in: "Heart", dependencies: ["D"])
                door("D")
                """
        )
        #expect(Self.climbers(in: PackageManifest(heart)) == ["A → B", "C → D"])
    }

    private static func climbers(in graph: PackageManifest) -> [String] {
        graph.dependencies
            .flatMap { module, others in
                others.filter { other in
                    guard let room = graph.rooms[module], let below = graph.rooms[other] else {
                        return false
                    }
                    return !House.mayDepend(room, on: below)
                }
                .map { "\(module) → \($0)" }
            }
            .sorted()
    }

    @Test func `a module depends only on what it imports`() {
        for (module, room) in Repository.modules where room != "Doors" {
            let sources = Repository.sources.filter { $0.module == module }
            let imported = Set(sources.flatMap { ImportRule.imports(of: $0).map(\.module) })
            let unused = (House.imports(of: module) ?? []).subtracting(imported)
            #expect(unused.isEmpty, "\(module) does not import \(unused.sorted())")
        }
    }

    @Test func `all packages but those of the command line are fetched for the server alone`() {
        let manifest = Repository.textFiles["Package.swift"] ?? ""
        let packages = manifest.matches(of: #/\.product\(name: "\w+", package: "([\w-]+)"/#)
        #expect(Set(packages.map(\.1)) == ["swift-argument-parser", "swift-system"])
        #expect(manifest.contains(#"condition: .when(traits: ["Server"])"#))
    }

    @Test func `every problem that the server answers is in its schema, and no other`() throws {
        let schema = try #require(Repository.textFiles["Schemas/problem.v1.schema.json"])
        let known = schema.matches(of: #/"urn:ledger:([a-z-]+)"/#).map { String($0.1) }
        let server: Set = ["LedgerHTTP", "ClientAPI", "LedgerServer"]
        let said = Repository.sources.filter { $0.module.map(server.contains) ?? false }
            .flatMap { source in
                (Repository.textFiles[source.path] ?? "")
                    .matches(of: #/kind: (?:\w+ \? )?"([a-z-]+)"(?: : "([a-z-]+)")?/#)
                    .flatMap { [$0.1, $0.2].compactMap { $0.map(String.init) } }
            }
        #expect(Set(known) == Set(said))
    }

    @Test func `every program opens the standard streams before anything else`() {
        let entries = Repository.textFiles.filter { path, text in
            (path.hasPrefix("Sources/") || path.hasPrefix("tools/fuzz/"))
                && ["@main\n", "@_cdecl(\"LLVMFuzzerTestOneInput\")"].contains { text.contains($0) }
        }
        // One more is that which tries the readers at random.
        #expect(entries.count == House.manifest.programs.count + 1)
        for (path, text) in entries { #expect(StreamRule.holds(in: text), "\(path)") }
    }

    @Test(arguments: [
        ("static func main() {\n    do {\n    try StandardStreams.open()\n", true),
        ("static func main() throws {\n    try StandardStreams.open()\n", true),
        ("static func main() {\n    let a = b()\n    try StandardStreams.open()\n", false),
        ("static func main() {\n    run()\n}\n", false),
    ])
    func `a program that does something else first is found`(text: String, holds: Bool) {
        #expect(StreamRule.holds(in: text) == holds)
    }

    @Test func `every name is used, and every link leads to one`() {
        let rule = UnusedNameRule(Repository.sources)
        #expect(Repository.sources.flatMap(rule.unused(in:)) == [])
        #expect(Repository.sources.flatMap(rule.brokenLinks(in:)) == [])
    }

    @Test func `a name that nothing uses is found, and a link that leads nowhere`() {
        let source = SwiftSource(
            path: "Sources/A/A.swift",
            text: """
                /// Links to ``used()`` and ``A/gone``.
                func used() -> String { "\\(shown)" }  // unused
                let shown = used()
                let unused = 1
                """
        )
        let rule = UnusedNameRule([source])
        #expect(rule.unused(in: source).map(\.line) == [4])
        #expect(rule.brokenLinks(in: source).map(\.line) == [1, 1])
    }

    @Test func `a manifest is read as SwiftPM reads it`() {
        let text = """
            func module(_ name: String) -> Target {
                .target(name: name, path: "Sources/\\(name)")
            }
            let package = Package(
                products: [.library(name: "P", targets: ["A"])],
                dependencies: [.package(url: "u", from: "1.0.0")],
                targets: [
                    door("C", apt: ["c-dev"]),
                    module(
                        "A",
                        in: "Heart",
                        dependencies: [
                            "B",  // "not": this
                            .product(name: "D", package: "e"), "C", systemPackage,
                        ],
                        swiftSettings: s),
                    program("B", dependencies: ["A"]),
                    .target(name: "S", dependencies: ["A"], path: "Tests/S"),
                    .target(name: "T", path: "Sources/Doors/T"),
                    tests(of: "A", dependencies: ["A"]),
                ])
            """
        let manifest = PackageManifest(SwiftSource(path: "Package.swift", text: text))
        #expect(
            manifest.dependencies
                == ["A": ["B", "C", "D", "SystemPackage"], "B": ["A"], "C": [], "T": []]
        )
        #expect(
            manifest.rooms == ["A": "Heart", "B": "Programs", "C": "Doors", "T": "Doors"]
        )
        #expect(manifest.programs == ["B"])
    }

    @Test func `no folder or file is a drawer for everything`() {
        #expect(Repository.textFiles.keys.sorted().flatMap(FileNameRule.findings(inPath:)) == [])
    }

    @Test(arguments: [
        "Sources/Utilities/A.swift", "Sources/Common/A.swift", "Sources/LMDB/PathHelpers.swift",
        "Sources/LMDB/Trip+Helpers.swift", "Sources/Interfaces/A.swift",
    ])
    func `a drawer is found`(path: String) {
        #expect(FileNameRule.findings(inPath: path).count == 1)
        #expect(FileNameRule.findings(inPath: "Sources/LMDB/CommonsLicense.swift") == [])
    }

    @Test func `sources and pages call a checkpoint by its full name`() {
        for (path, text) in Repository.textFiles where path.hasPrefix("Sources/") {
            #expect(CheckpointRule.findings(in: text, path: path) == [])
        }
    }

    @Test func `a checkpoint without its full name is found`() {
        let text = """
            /// The checkpoint is stored with the active-trip checkpoint.
            let activeTripCheckpoint = ActiveTripCheckpoint(table: "active_trip_checkpoint")
            let checkpoint = 1  // A C2SP checkpoint is another thing: c2sp.org/tlog-checkpoint
            /// This is the active-trip
            /// checkpoint. Here is
            /// a Checkpoint.
            /// Ask for `/log/checkpoint`, or post to `/witness/add-checkpoint`.
            """
        #expect(CheckpointRule.findings(in: text, path: "A.swift").map(\.line) == [1, 3, 6])
    }

    @Test func `no path of one machine is in the repository`() {
        for (path, text) in Repository.textFiles {
            #expect(MachinePathRule.findings(in: text, path: path) == [])
        }
    }

    @Test(arguments: ["home", "root", "work", "farm", "Users", "opt", "mnt"])
    func `a path of one machine is found`(root: String) {
        let good =
            "cd $HOME/\(root)/a ~/\(root)/b a/\(root)/c https://example.org/\(root)/d /usr/lib/"
        let bad = ["cd /\(root)/a", "PATH=/bin:/\(root)/a", "\"/\(root)/a\"", "file:///\(root)/a"]
        #expect(MachinePathRule.findings(in: good, path: "a") == [])
        for line in bad {
            #expect(MachinePathRule.findings(in: "\n" + line, path: "a").map(\.line) == [2])
        }
    }
}

/// Files that a program opens MUST NOT get the numbers of standard streams that its caller closed.
private enum StreamRule {
    /// Whether the first thing that the entry of a program does is to open the streams.
    static func holds(in text: String) -> Bool {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let entry = lines.firstIndex { line in
            ["static func main()", "public func beginFuzzing("].contains { line.hasPrefix($0) }
        }
        guard let entry,
            let body = lines[entry...].firstIndex(where: { $0.hasSuffix("{") })
        else { return false }
        let statements = lines[(body + 1)...].drop { $0 == "do {" }
        return statements.first?.contains("StandardStreams.open()") == true
    }
}
