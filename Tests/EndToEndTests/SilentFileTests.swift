import Foundation
import TestSupport
import Testing

/// Files that give no trip, or nothing at all: one sentence says why.
@Suite struct SilentFileTests {
    /// A file, the sentence that is said of it, and how the command ends.
    struct Silent: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String
        let says: String
        let exitCode: Int

        var testDescription: String { name }

        init(_ name: String, _ text: String, _ says: String, _ exitCode: Int = 0) {
            self.name = name
            self.text = text
            self.says = says
            self.exitCode = exitCode
        }
    }

    private static func track(_ point: (Int) -> String) -> String {
        "<gpx><trk><trkseg>\((0..<60).map(point).joined())</trkseg></trk></gpx>"
    }

    /// The time of a point, ten seconds after that of the one before.
    private static func time(_ number: Int, of day: String = "2025-03-11") -> String {
        "<time>\(day)T07:\(10 + number / 6):\(number % 6)0Z</time>"
    }

    private static let nothing = [
        Silent("plan.gpx", "<gpx><rte><rtept lat='52' lon='4'/></rte></gpx>", "a route that was"),
        Silent(
            "plan.tcx",
            "<TrainingCenterDatabase><Courses><Course><Track><Trackpoint><Time>"
                + "2024-03-01T07:00:00Z</Time></Trackpoint></Track></Course></Courses>"
                + "</TrainingCenterDatabase>",
            "1 record is of a route"
        ),
        Silent(
            "marks.gpx",
            "<gpx><wpt lat='52' lon='4'/><wpt lat='52' lon='5'/></gpx>",
            "2 records are of places and drawings"
        ),
        Silent(
            "line.geojson",
            #"{"type":"Feature","geometry":{"type":"LineString","#
                + #""coordinates":[[4,52],[4,53]]},"properties":{}}"#,
            "no times in it"
        ),
        Silent("indoors.json", #"{"class":"TPV","mode":1}"# + "\n", "no positions in it"),
        Silent(
            "last-will.json",
            #"{"_type":"lwt","tst":1709276400}"# + "\n",
            "of other kinds (lwt)"
        ),
        Silent(
            "paths.json",
            #"{"semanticSegments":[{"startTime":"2025-03-11T07:00:00Z","#
                + #""endTime":"2025-03-11T07:30:00Z","timelinePath":[{"point":"52°, 4°","#
                + #""time":"2025-03-11T07:10:00Z"}]}]}"#,
            "what Google made of some"
        ),
        Silent("nothing.gpx", "<gpx></gpx>", "there is no record in it"),
        Silent("names.csv", "time,lat,lon\n", "there is no record in it"),
        Silent(
            "once.gpx",
            track { _ in
                "<trkpt lat='52' lon='4'><time>2025-03-11T07:00:00Z</time>"
                    + "<ele>\(Int.random(in: 0...9_999))</ele></trkpt>"
            },
            "have one time"
        ),
        Silent(
            "still.gpx",
            track { "<trkpt lat='52' lon='4'>\(time($0))</trkpt>" },
            "no trip was made of its 60 records"
        ),
        Silent(
            "early.gpx",
            track {
                "<trkpt lat='52.\(100 + $0)' lon='4'>"
                    + "\(time($0, of: "2003-03-11"))</trkpt>"
            },
            "--by 7168d"
        ),
    ]

    private static let others = [
        Silent("none.gpx", "", "the file is empty", 1),
        Silent("blanks.csv", "\n \n", "the file is empty", 1),
        Silent("list.json", "[]", "the list in it is empty", 65),
        Silent("locations.json", #"{"locations":[]}"#, "the list in it is empty", 65),
        Silent("page.gpx", "<!doctype html><html></html>", "this is a web page", 65),
        Silent("dates.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n", "this is a calendar", 65),
        Silent("people.vcf", "BEGIN:VCARD\nEND:VCARD\n", "these are contacts", 65),
        Silent("letter.txt", "Dear driver,\nhere is your export.\n", "this is text", 65),
        Silent("notes.yaml", "a: 1\nb: 2\n", "this is text", 65),
        Silent("flight.igc", "AXCC123\nHFDTE110325\nB1200005200000N\n", "a flight log", 65),
        Silent("log.pdf", "%PDF-1.7\n", "this is a PDF", 65),
        Silent("book.xml", "<book/>", "this is XML", 65),
    ]

    @Test(arguments: nothing + others)
    func `what gives no trip says why, in one sentence`(file: Silent) throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/Amsterdam")
        let url = process.directory.url.appendingPathComponent(file.name)
        try Data(file.text.utf8).write(to: url)
        let outcome = try process.run("append", file.name)
        #expect(outcome.exitCode == file.exitCode, "\(outcome.errors)")
        #expect(outcome.errors.contains(file.says), "\(outcome.errors)")
        #expect(!outcome.errors.contains("invalid_json"), "\(outcome.errors)")
        let said = outcome.errors.split(separator: "\n").filter { $0.contains(file.name) }
        #expect(said.count <= 1, "\(outcome.errors)")
    }

    @Test func `a directory or an archive without a file says so`() throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/Amsterdam")
        let made = try process.shell(
            """
            mkdir -p none deep/deeper hidden links && touch hidden/.file && ln -s ../none links/link
            python3 -c "import zipfile; zipfile.ZipFile('none.zip', 'w').close()
            zipfile.ZipFile('folders.zip', 'w').writestr('folder/', '')"
            """
        )
        #expect(made.exitCode == 0, "\(made.errors)")
        for name in ["none", "deep", "hidden", "links", "none.zip", "folders.zip"] {
            for command in [["append"], ["append", "--dry-run"], ["convert"]] {
                let outcome = try process.run(command + [name])
                #expect(outcome.exitCode == 1, "\(command) \(name): \(outcome.errors)")
                #expect(outcome.errors.contains("ledger: error: \(name): no file is in it"))
            }
        }
        let both = try process.shell("cp none.zip deep; echo > deep/b.txt; ledger append deep")
        #expect(both.exitCode == 65 && both.errors.contains("none.zip (empty)"), "\(both.errors)")
    }

    @Test func `the command that heals a week rollover is taken, and heals it`() throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/Amsterdam")
        let early = try #require(Self.nothing.first { $0.name == "early.gpx" })
        let outcome = try process.run("append", input: Data(early.text.utf8))
        let command = try #require(outcome.errors.firstMatch(of: /`ledger (shift-clock [^`]+)`/))
        let healed = try process.run(command.1.split(separator: " ").map(String.init))
        #expect(healed.exitCode == 0, "\(healed.errors)")
        #expect(try process.run("trips", "--format", "json").text.contains("2022-10-25"))
    }

    /// A drive of which some points are 1,024 weeks and more too early.
    private static func drive(isEarly: (Int) -> Bool) -> String {
        track {
            "<trkpt lat='52.\(100 + $0)' lon='4'>"
                + "\(time($0, of: isEarly($0) ? "2003-03-11" : "2025-03-11"))</trkpt>"
        }
    }

    @Test(arguments: [
        ["a.gpx": drive { _ in true }, "b.gpx": drive { _ in false }],
        ["a.gpx": drive { _ in false }, "b.gpx": drive { _ in true }],
        ["mixed.gpx": drive { $0 < 30 }],
    ])
    func `a week rollover is said, and healed alone, beside times that are right`(
        files: [String: String]
    ) throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/Amsterdam")
        for (name, text) in files {
            try Data(text.utf8).write(to: process.directory.url.appendingPathComponent(name))
        }
        let outcome = try process.run(["append"] + files.keys.sorted())
        #expect(outcome.exitCode == 0 && outcome.errors.contains("some of its times are of 2003"))
        let command = try #require(outcome.errors.firstMatch(of: /`ledger (shift-clock [^`]+)`/))
        let healed = try process.run(command.1.split(separator: " ").map(String.init))
        #expect(healed.exitCode == 0, "\(healed.errors)")
        let trips = try process.run("trips", "--format", "json").text
        #expect(trips.contains("2022-10-25") && trips.contains("2025-03-11"), "\(trips)")
        #expect(!trips.contains("2003-03-11"), "\(trips)")
    }

    @Test func `a file whose records have one time is named beside one that is right`() throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/Amsterdam")
        let once = try #require(Self.nothing.first { $0.name == "once.gpx" })
        let right = Self.drive { _ in false }
        for (name, text) in ["once.gpx": once.text, "right.gpx": right] {
            try Data(text.utf8).write(to: process.directory.url.appendingPathComponent(name))
        }
        let outcome = try process.run("append", "once.gpx", "right.gpx")
        let said = "gpx: all 60 records in once.gpx have one time"
        #expect(outcome.exitCode == 0 && outcome.errors.contains(said), "\(outcome.errors)")
    }

    @Test func `in an archive, what is no format is named with what it is`() throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "Europe/Amsterdam")
        let made = try process.shell(
            """
            mkdir box book.xlsx.d && printf '<html></html>' > box/page.html
            printf 'BEGIN:VCALENDAR\\n' > box/dates.ics; printf 'hello\\n' > box/read.me
            printf '<gpx><trk><trkseg><trkpt lat="52" lon="4"><time>2025-03-11T07:00:00Z</time>' \
            > box/drive.gpx; printf '</trkpt></trkseg></trk></gpx>' >> box/drive.gpx
            python3 -c "import zipfile; z = zipfile.ZipFile('book.xlsx', 'w'); \
            z.writestr('[Content_Types].xml', '<Types/>'); z.writestr('xl/workbook.xml', '<w/>')"
            """
        )
        #expect(made.exitCode == 0, "\(made.errors)")
        let box = try process.run("append", "box")
        #expect(box.exitCode == 0 && box.text.contains(#""appended":1"#), "\(box.text)")
        for word in ["page.html (a web page)", "dates.ics (a calendar)", "read.me (text)"] {
            #expect(box.errors.contains(word), "\(box.errors)")
        }
        let sheet = try process.run("append", "book.xlsx")
        #expect(sheet.exitCode == 65 && sheet.errors.contains("of an office program"))
    }
}
