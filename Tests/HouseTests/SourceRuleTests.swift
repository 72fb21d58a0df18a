import Testing

/// The rules that look at one Swift file at a time; each has a control that breaks it.
@Suite struct SourceRuleTests {
    @Test func `a module imports only what the house allows`() {
        #expect(ImportRule().findings(in: Repository.sources + Repository.tests) == [])
    }

    @Test func `a forbidden import is found in any dress`() {
        let text = """
            import Geodesy
            import LMDB
            // import EventStore
            @testable import Reports
            @preconcurrency public import struct Foundation.URL
            internal import func Glibc.sin; package import TripLedger
            let text = "import CLMDB"
            """
        let events = "Sources/Heart/TripEvents/A.swift"
        let ledger = "Sources/Ledger/TripLedger/A.swift"
        #expect(ImportRule().lines(in: text, at: events) == [2, 4, 5, 6, 6])
        #expect(ImportRule().lines(in: "import Geodesy", at: "Sources/Heart/No/A.swift") == [1])
        #expect(ImportRule().lines(in: "import CLMDB", at: ledger) == [1])
        #expect(ImportRule().lines(in: "import CLMDB", at: "Tests/LMDBTests/A.swift") == [1])
        for (folder, lines) in [("XML", []), ("Tables", [1])] {
            let path = "Sources/Formats/Importers/\(folder)/A.swift"
            #expect(ImportRule().lines(in: "import CExpat", at: path) == lines)
        }
    }

    @Test func `the core asks nothing of the world`() {
        #expect(PurityRule().findings(in: Repository.sources) == [])
    }

    @Test(arguments: [
        "import Foundation", "print(1)", "Swift.print(1)", "func f() async {}", "await f()",
        "Task { }", "Date()", "FileManager.default", "ProcessInfo.processInfo", "getenv(name)",
        "var generator = SystemRandomNumberGenerator()", "Int.random(in: 0..<9, using: &g)",
        "list.shuffled()", "ContinuousClock.now", "time(nil)", "unsafe p.pointee", "readLine()",
        "bytes.withUnsafeBytes { $0 }", #""\(time(nil))""#, "Locale.current",
    ])
    func `each way out of the core is found`(line: String) {
        let text = "let a = 1\n\(line)"
        #expect(PurityRule().lines(in: text, at: "Sources/Heart/Geodesy/A.swift").first == 2)
        #expect(PurityRule().lines(in: text, at: "Sources/Ledger/TripLedger/A.swift") == [])
    }

    @Test func `names of ours and words in strings are no way out of the core`() {
        let text = """
            // print(1), Date(), unsafe
            case time(Timestamp)
            let words = "await print(Date())"
            let value = field.time(3)
            let seconds = time
            """
        #expect(PurityRule().lines(in: text, at: "Sources/Heart/TripEvents/A.swift") == [])
    }

    @Test func `a command reads what it prints from one snapshot`() {
        #expect(SnapshotRule().findings(in: Repository.sources) == [])
    }

    @Test func `a second snapshot is found, unless something was appended before it`() {
        let text = """
            func run() throws {
                let trips = try ledger.read { try $0.trips() }
                let places = try ledger.read { try $0.places() }
            }
            func save() throws {
                let old = try ledger.read { try $0.places() }
                try decision.append(body, to: ledger)
                let new = try ledger.read { try $0.places() }
            }
            """
        #expect(SnapshotRule().lines(in: text, at: "Sources/Programs/LedgerTool/A.swift") == [3])
        #expect(SnapshotRule().lines(in: text, at: "Sources/Ledger/TripLedger/A.swift") == [])
    }

    @Test func `memory handled by hand is given a reason, and only in few modules`() {
        #expect(UnsafeRule().findings(in: Repository.sources) == [])
    }

    @Test func `unsafe code without a reason is found`() {
        let text = """
            // The pointer lives as long as the transaction.
            let a = unsafe p.pointee
            let b = unsafe q.pointee

            let c = unsafe r.pointee
            // Why this function exists.
            func f() {
                unsafe g()
            }

            /// What it is.
            final class A: @unchecked Sendable {}

            // @unchecked because the handle never changes.
            /// What it is.
            final class B: @unchecked Sendable {}

            /// Ends with the transaction.
            @_lifetime(borrow self)
            func h() {}

            @_lifetime(borrow self)
            func i() {}
            """
        #expect(UnsafeRule().lines(in: text, at: "Sources/Storage/LMDB/A.swift") == [5, 8, 12, 22])
        #expect(UnsafeRule().lines(in: text, at: "Sources/Ledger/TripLedger/A.swift").first == 2)
    }

    @Test func `the ways around the concurrency checks are found everywhere`() {
        let text = """
            // A reason.
            nonisolated(unsafe) var a = 1
            @preconcurrency import B
            """
        #expect(UnsafeRule().lines(in: text, at: "Sources/Storage/LMDB/A.swift") == [2, 3])
    }

    @Test func `files, functions and lines are short`() {
        #expect(SizeRule().findings(in: Repository.sources + Repository.tests) == [])
    }

    @Test func `a long file, function or line is found`() {
        func function(_ head: String, lines: Int) -> String {
            "\(head) {\n" + String(repeating: "    f()\n", count: lines - 2) + "}\n"
        }
        let rule = SizeRule()
        let path = "Sources/Heart/Geodesy/A.swift"
        #expect(rule.lines(in: function("func f(a: [Int]) -> Int", lines: 60), at: path) == [])
        #expect(rule.lines(in: function("func f(a: [Int]) -> Int", lines: 61), at: path) == [1])
        #expect(rule.lines(in: function("public init?(a: Int)", lines: 61), at: path) == [1])
        #expect(rule.lines(in: function("subscript(a: Int) -> Int", lines: 61), at: path) == [1])
        #expect(rule.lines(in: function("var a: Int", lines: 61), at: path) == [1])
        let generic = "func f<T>(\n    a: T\n) -> T\nwhere\n    T: A,\n    T: B\n"
        #expect(rule.lines(in: function(generic, lines: 61), at: path) == [1])
        let requirements = "func f() -> Int\n    func g()\n}\n" + function("enum A", lines: 70)
        #expect(rule.lines(in: requirements, at: path) == [])
        #expect(rule.lines(in: String(repeating: "é", count: 100), at: path) == [])
        #expect(rule.lines(in: String(repeating: "é", count: 101), at: path) == [1])
        #expect(rule.lines(in: String(repeating: "\n", count: 700), at: path) == [])
        #expect(rule.lines(in: String(repeating: "\n", count: 701), at: path) == [0])
    }

    @Test func `a file bears the name of its main type`() {
        #expect(TypeNameRule().findings(in: Repository.sources) == [])
    }

    @Test(arguments: [
        ("A.swift", "struct A { enum B {} }\nprivate struct C {}", []),
        ("A.swift", "struct A {}\n\nenum B {}", []),
        ("A.swift", "enum B {}\nstruct A {}", []),
        ("B.swift", "public struct A {}", [1]),
        ("A+B.swift", "extension A {}", []),
        ("A+B.swift", "extension A {}\nstruct C {}", []),
        ("A+B.swift", "struct C {}", [1]),
        ("Arguments.swift", "extension A: B {}\nextension C: B {}", []),
        ("main.swift", "func a() {}", []),
        ("A.swift", "enum A {\n    struct LMDB {}\n}", [2]),
        ("TripLedger.swift", "struct TripLedger {}", [1]),
    ])
    func `a type in the wrong place is found`(name: String, text: String, expected: [Int]) {
        #expect(TypeNameRule().lines(in: text, at: "Sources/Heart/Geodesy/\(name)") == expected)
    }

    @Test func `everything that leaves its module is documented`() {
        #expect(DocumentationRule().findings(in: Repository.sources) == [])
    }

    @Test func `an undocumented declaration is found`() {
        let text = """
            public import Geodesy

            /// What it is.
            // @unchecked because it never changes.
            @frozen
            public struct A {
                public let a: Int
                package static func b() {}

                /// What it does.
                @inlinable public package(set) var c: Int
                // Not documentation.
                public init() {}
                func d() { open(1) }
            }
            """
        let path = "Sources/Heart/Geodesy/A.swift"
        #expect(DocumentationRule().lines(in: text, at: path) == [7, 8, 13])
    }

    @Test func `nothing is left for later`() {
        let sources = Repository.sources + Repository.tests + [Repository.manifest]
        #expect(UnfinishedRule().findings(in: sources) == [])
        for (path, text) in Repository.textFiles where !path.hasSuffix(".swift") {
            let lines = SwiftSource.lines(of: Array(text.utf8))
            #expect(UnfinishedRule.findings(in: lines, path: path) == [])
        }
    }

    @Test(arguments: ["TODO", "FIXME", "XXX"])
    func `an unfinished place is found`(mark: String) {
        let text = "let a = \"\(mark)\"\n// \(mark): later\n/* (\(mark)) */"
        #expect(UnfinishedRule().lines(in: text, at: "Sources/Heart/Geodesy/A.swift") == [2, 3])
    }

    @Test func `comments are plain statements`() {
        let sources = Repository.sources + Repository.tests + [Repository.manifest]
        #expect(PlainCommentRule().findings(in: sources) == [])
    }

    @Test func `a comment that is a question turned inside out is found`() {
        let text = """
            /// After how many days an entry is late.
            let a = 7
            /// The number of days after which an entry is late.
            let b = 7
            // So many bytes are read, whoever asks.
            let c = "Of what nobody knows"
            /// From there on, no one asks:
            /// of which nothing is known.
            """
        let path = "Sources/Heart/Geodesy/A.swift"
        #expect(PlainCommentRule().lines(in: text, at: path) == [1, 5, 5])
    }
}
