package import CivilTime
import Glibc
package import SystemPackage

/// The machine's time zone, and the zones that it knows.
package enum MachineTimeZone {
    private static let link: FilePath = "/etc/localtime"
    private static let maximumNameByteCount = 64

    /// No file of the database has a tenth of that.
    private static let maximumFileByteCount = 1 << 20

    /// Where the tz database is: `TZDIR` as for the C library, else where systems have it.
    package static var database: FilePath {
        ProcessEnvironment.variable("TZDIR").map { FilePath($0) } ?? "/usr/share/zoneinfo"
    }

    /// The IANA name of the zone that `TZ` or the link /etc/localtime names, or `nil` if neither
    /// does.
    package static var name: String? {
        if let variable = ProcessEnvironment.variable("TZ") {
            let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
            if name != "localtime" { return isKnown(name) ? name : nil }
        }
        guard let target = SymbolicLink.destination(of: link) else { return nil }
        let parts = target.components.map(\.string)
        guard let start = parts.lastIndex(of: "zoneinfo") else { return nil }
        let name = parts[(start + 1)...].drop { $0 == "posix" }.joined(separator: "/")
        return isKnown(name) ? name : nil
    }

    /// Whether the machine knows a zone; on a machine without a database, and while it can open no
    /// file, whether the name looks like one.
    package static func isKnown(_ name: String) -> Bool {
        guard isWellFormed(name), isPlace(name) else { return false }
        guard (try? Stat(database)) != nil else { return true }
        do {
            _ = try rules(of: name)
            return true
        } catch let error as Errno {
            return shortages.contains(error)
        } catch {
            return false
        }
    }

    /// The errors that say nothing about the file itself.
    private static let shortages: [Errno] = [
        .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .ioError,
    ]

    /// The IANA names of the zones that the machine knows, in order of their bytes; none on a
    /// machine without a database.
    package static var names: [String] {
        var names: [String] = []
        addNames(below: "", to: &names)
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func addNames(below folder: String, to names: inout [String]) {
        let path = folder.isEmpty ? database : database.appending(folder)
        for last in (try? Directory.names(in: path)) ?? [] {
            let name = folder.isEmpty ? last : "\(folder)/\(last)"
            // Zones begin with capital letters; what the database says about itself does not.
            guard let first = last.utf8.first, first &- 0x41 < 26, isWellFormed(name), isPlace(name)
            else { continue }
            if (try? Stat(database.appending(name)))?.type == .directory {
                addNames(below: name, to: &names)
            } else {
                names.append(name)
            }
        }
    }

    /// Returns the rules of a zone; UTC needs no database.
    ///
    /// - Throws: `Errno` if the machine does not know the zone, or the name means another zone on
    ///   other machines; `TimeZoneProblem` if its file is damaged.
    package static func rules(of name: String) throws -> TimeZoneRules {
        guard name != TimeZoneRules.utc.name else { return .utc }
        return try TimeZoneRules(name: name, file: file(of: name))
    }

    /// Returns the file of a zone in the database.
    ///
    /// - Throws: `Errno` if the machine does not know the zone, or the name means another zone on
    ///   other machines.
    package static func file(of name: String) throws -> [UInt8] {
        guard isWellFormed(name), isPlace(name) else { throw Errno.noSuchFileOrDirectory }
        let file = database.appending(name)
        return try WholeFile.read(file, maximumByteCount: maximumFileByteCount)
    }

    /// Whether a name in the database means the same time on every machine: some are this machine's
    /// own zone or none at all, and some folders have the zones again, one with leap seconds.
    private static func isPlace(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isOther = ["localtime", "posixrules", "Factory"].contains(name)
        return !isOther && !["posix", "right"].contains(parts[0]) && !parts.contains("")
    }

    private static func isWellFormed(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        return isPlain && (1...maximumNameByteCount).contains(name.utf8.count)
            && !name.hasPrefix("/")
    }
}

/// Paths that stand for others.
package enum SymbolicLink {
    /// Returns where a symbolic link points to, or `nil` if there is none.
    ///
    /// The corresponding C function is `readlink`.
    package static func destination(of link: FilePath) -> FilePath? {
        let capacity = Int(PATH_MAX)
        var bytes = [CChar](repeating: 0, count: capacity)
        // The system writes at most as many bytes as the buffer has, and keeps no pointer.
        let count = unsafe readlink(link.string, &bytes, capacity)
        guard count > 0, count < capacity else { return nil }
        let path = bytes[..<count].map { UInt8(bitPattern: $0) }
        return FilePath(String(decoding: path, as: UTF8.self))
    }
}
