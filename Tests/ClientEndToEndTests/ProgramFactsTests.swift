import Foundation
import TestSupport
import Testing

/// What each of the programs says of itself.
@Suite struct ProgramFactsTests {
    /// Programs whose libraries this machine has.
    private static let programs = [
        "ledger", "ledger-serve", "ledger-print", "ledger-sync", "ledger-mqtt", "ledger-replicate",
    ]
    .filter { name in
        let folder = LedgerProcess.binary.deletingLastPathComponent()
        return FileManager.default.isExecutableFile(
            atPath: folder.appendingPathComponent(name).path
        )
    }

    @Test(arguments: programs)
    func `each program says its version and what it is linked with`(name: String) throws {
        let process = try LedgerProcess()
        let version = try process.shell("\(name) --version")
        #expect(version.exitCode == 0, "\(version.errors)")
        #expect(version.text.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil, "\(version.text)")
        #expect(try process.run("--version").text == version.text)
        let licences = try process.shell("\(name) --licences")
        #expect(licences.exitCode == 0, "\(licences.errors)")
        #expect(licences.text.contains("LMDB"))
        #expect(try process.run("--licences").text == licences.text)
        #expect(try process.shell("\(name) --version > /dev/full").exitCode == 74)
    }
}
