import Platform
import Projections
import SystemPackage
import TripEvents

/// The data of time zones in a bundle: the files that the machine which made it had of the ledger's
/// zones.
///
/// The reports are made again by the zones of the machine that checks. Only where these give other
/// reports, as newer or older data does, the bundle's zones are asked for the reason.
enum BundleZones {
    /// The directory, in which a file has the name of its zone, such as `America/Nuuk`.
    private static let directory = "zones"

    /// Whether a file of a bundle, by its path, is there for a zone.
    static func isOne(_ path: String) -> Bool { path.hasPrefix("\(directory)/") }

    /// Returns the files that a bundle has for the zones of its ledger; UTC needs none.
    static func files(for settings: SettingsBook) -> Set<String> {
        Set(names(in: settings).map { "\(directory)/\($0)" })
    }

    /// Copies the files of this machine into a bundle.
    ///
    /// - Throws: `Errno`.
    static func copy(for settings: SettingsBook, into bundle: FilePath) throws {
        for name in names(in: settings) {
            let file = bundle.appending("\(directory)/\(name)")
            try Directory.make(file.removingLastComponent())
            try DurableFile.write(try MachineTimeZone.file(of: name), to: file)
        }
    }

    /// Returns the name of the zone for which a file is there.
    static func name(of path: String) -> String { String(path.dropFirst(directory.count + 1)) }

    private static func names(in settings: SettingsBook) -> Set<String> {
        Set(settings.timeZones.map(\.name)).subtracting([TimeZoneRules.utc.name])
    }
}
