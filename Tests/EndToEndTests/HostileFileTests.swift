import Foundation
import TestSupport
import Testing

/// Files that are made to fill memory or an afternoon: the command refuses them, and stays small.
@Suite struct HostileFileTests {
    /// A file, and what makes it: a program of Python that writes to `out`.
    struct Hostile: Sendable, CustomTestStringConvertible {
        var name: String
        var program: String
        var exitCode: Int
        var says: String

        var testDescription: String { name }
    }

    static let files = [
        Hostile(
            name: "zeros.gz",
            program: "import gzip; g = gzip.open(out, 'wb'); z = b'\\n' * (1 << 20)\n"
                + "for _ in range(256): g.write(z)\ng.close()",
            exitCode: 65,
            says: "expands to more than 250 times its size"
        ),
        Hostile(
            name: "nested.zip",
            program: """
                import io, zipfile
                data, suffix = b'<gpx>' + b' ' * (1 << 22), 'gpx'
                for level in range(5):
                    box = io.BytesIO()
                    with zipfile.ZipFile(box, 'w', zipfile.ZIP_DEFLATED) as z:
                        for i in range(16): z.writestr(f'{i}.{suffix}', data)
                    data, suffix = box.getvalue(), 'zip'
                open(out, 'wb').write(data)
                """,
            exitCode: 65,
            says: "ledger: error: nested.zip"
        ),
        Hostile(
            name: "climbing.zip",
            program: """
                import zipfile
                with zipfile.ZipFile(out, 'w') as z:
                    for i in range(20000): z.writestr(f'../../../etc/{i}.gpx', '')
                """,
            exitCode: 65,
            says: "no format of events that is known"
        ),
        Hostile(
            name: "tag.gpx",
            program: "f = open(out, 'wb'); f.write(b'<gpx a=\\\"')\n"
                + "for _ in range(96): f.write(b'x' * (1 << 20))",
            exitCode: 1,
            says: "(invalid_xml)"
        ),
        Hostile(
            name: "nest.json",
            program: "f = open(out, 'wb'); f.write(b'{\\\"type\\\":\\\"FeatureCollection\\\",'\n"
                + "  b'\\\"features\\\":[')\nfor _ in range(32): f.write(b'[' * (1 << 20))",
            exitCode: 1,
            says: "(invalid_json)"
        ),
        Hostile(
            name: "line.csv",
            program: "f = open(out, 'wb'); f.write(b'time,lat,lon\\n')\n"
                + "for _ in range(96): f.write(b'1' * (1 << 20))",
            exitCode: 1,
            says: "(line_too_long)"
        ),
    ]

    /// Mebibytes.
    private static let mostMemory = 64

    @Test(arguments: files)
    func `a hostile file is refused in little memory`(file: Hostile) throws {
        let book = try LedgerProcess()
        #expect(try book.run("init").exitCode == 0)
        let made = try book.shell(
            "out='\(file.name)' && python3 -c \"out='$out'\n\(file.program)\""
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let measured = try book.shell(
            """
            python3 - 2>&1 <<'END'
            import os, resource, subprocess
            child = subprocess.Popen(['\(LedgerProcess.binary.path)', '--ledger', 'book', 'append',
                                      '\(file.name)'])
            _, status, usage = os.wait4(child.pid, 0)
            print('exit', os.waitstatus_to_exitcode(status), 'MiB', usage.ru_maxrss >> 10)
            END
            """
        )
        let end = try #require(measured.text.firstMatch(of: /exit (\d+) MiB (\d+)/))
        #expect(Int(end.1) == file.exitCode, "\(measured.text)")
        #expect(Int(end.2).map { $0 <= Self.mostMemory } == true, "\(measured.text)")
        #expect(measured.text.contains(file.says), "\(measured.text)")
    }
}
