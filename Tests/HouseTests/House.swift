/// The house: which module may import which, and what else depends on a module's place.
///
/// A new row or arrow is a design decision: change it in a commit of its own, with the reason.
enum House {
    /// Every directory in `Sources` with all that it may import, ours and from outside.
    ///
    /// The C doors are a module map and a shim; they import nothing.
    static let mayImport: [String: Set<String>] = [
        "CLMDB": [],
        "CCrypto": [],
        "CPlatform": [],
        "CChecksum": [],
        "CZstd": [],
        "CExpat": [],
        "CZlib": [],
        "CArchive": [],
        "CPango": [],
        "CCurl": [],
        "Platform": ["CPlatform", "CivilTime", "SystemPackage", "Synchronization", "Glibc"],
        "LMDB": ["CLMDB", "Platform", "SystemPackage", "Synchronization", "Glibc"],
        "Proofs": ["CCrypto"],
        // What a prefix of a log has derived once is kept behind a lock.
        "EventStore": [
            "Proofs", "LMDB", "Platform", "CChecksum", "CZstd", "SystemPackage", "Synchronization",
        ],
        "Geodesy": ["Glibc"],
        "CivilTime": [],
        "JSONText": [],
        "TripEvents": ["Geodesy", "CivilTime", "JSONText"],
        // Below TripTracking, whose state is stored too; it knows times and places, no events.
        "RowCoding": ["Geodesy", "CivilTime"],
        "TripTracking": ["Geodesy", "TripEvents", "RowCoding"],
        "Projections": ["Geodesy", "TripEvents", "RowCoding", "TripTracking"],
        "TripsProjection": ["TripEvents", "RowCoding", "TripTracking", "Projections"],
        "RoutinesProjection": [
            "Geodesy", "TripEvents", "RowCoding", "TripTracking", "Projections",
        ],
        "TotalsProjection": ["Geodesy", "TripEvents", "RowCoding", "TripTracking", "Projections"],
        "ActiveTripProjection": ["TripEvents", "RowCoding", "TripTracking", "Projections"],
        "Reports": ["Geodesy", "TripEvents", "TripTracking", "Projections"],
        // Rates and claims are sums over distances, days and classes; they know no trips of a book.
        // Tables, schemas, maps and the page are constants of the program.
        "CResources": [],
        "EmbeddedFiles": ["CResources"],
        "Rates": ["EmbeddedFiles", "Geodesy", "TripEvents"],
        "DriveSimulation": ["TripEvents"],
        "QRCodes": [],
        // Pictures as values, which know nothing of what they show.
        "Drawing": ["JSONText"],
        // Reports as values for paper and screens: texts and pictures in, and nothing of trips.
        "Documents": ["Drawing", "JSONText"],
        // Maps as pictures: positions and words in, and nothing of trips.
        "Maps": ["Drawing", "EmbeddedFiles", "Geodesy", "JSONText", "Glibc"],
        // Apart from the importers, so that these stay without a door and without unsafe memory.
        "XMLText": ["CExpat"],
        // The same for what is compressed or holds files.
        "Archives": ["CZlib", "CArchive", "Glibc"],
        "Importers": ["TripEvents", "XMLText"],
        "TripLedger": [
            "EventStore", "LMDB", "Proofs", "Platform", "Geodesy", "TripEvents", "RowCoding",
            "TripTracking", "Projections", "TripsProjection", "RoutinesProjection",
            "TotalsProjection", "ActiveTripProjection", "Rates", "SystemPackage",
            "Synchronization",
        ],
        // What a server must know that is no evidence and that the log must not hold. Programs that
        // only record and read open no third environment; what it refuses, it says as the ledger
        // does. What apps delivered is read in one place, at the door and when it is tried again.
        "ServerStore": [
            "TripLedger", "Importers", "TripEvents", "LMDB", "Proofs", "Platform", "CivilTime",
            "RowCoding", "JSONText", "SystemPackage",
        ],
        // Evidence and safekeeping. Programs that only record and read do not need it.
        // What a server keeps is looked at and backed up as the log is.
        "LedgerKeeping": [
            "TripLedger", "ServerStore", "EventStore", "LMDB", "Proofs", "Platform", "TripEvents",
            "TripTracking", "Projections", "TripsProjection", "SystemPackage",
        ],
        // Rows as text, JSON and CSV, and reports as documents of the same rows, for the command
        // line and for a server. What sets up a device is shown as a code too, on either side.
        "RowFormats": [
            "TripLedger", "Geodesy", "TripEvents", "TripTracking", "Projections",
            "ActiveTripProjection", "RoutinesProjection", "TotalsProjection", "Reports", "Rates",
            "Drawing", "Documents", "Maps", "ServerStore", "Proofs", "QRCodes",
        ],
        // Columns and pages as numbers: what breaks pages is tested without what draws them.
        "Pagination": [],
        // Apart from the command, which stays one static file; it knows pictures and documents, and
        // no ledgers.
        "LedgerPrint": ["JSONText", "Pagination", "Platform", "CPango", "SystemPackage", "Glibc"],
        // Apart from the command as well: HTTP and HTTPS bring many libraries.
        "LedgerSync": [
            "LedgerKeeping", "ServerStore", "TripLedger", "RowFormats", "JSONText", "Platform",
            "CCurl", "SystemPackage", "Glibc",
        ],
        "WebPage": ["EmbeddedFiles", "CZlib"],
        // Apart from the command too; the only module with concurrency, and what it needs for it.
        "LedgerServer": [
            "TripLedger", "LedgerKeeping", "ServerStore", "RowFormats", "Importers", "TripEvents",
            "Proofs",
            "Platform", "JSONText", "WebPage", "Hummingbird", "HummingbirdCore", "HTTPTypes",
            "Logging",
            "NIOCore", "NIOHTTPTypes", "NIOPosix", "ServiceLifecycle", "SystemPackage", "Glibc",
            "Synchronization",
        ],
        "LedgerTool": [
            "RowFormats", "Drawing", "Documents", "Maps", "LedgerKeeping", "ServerStore",
            "TripLedger", "Platform",
            "Geodesy", "TripEvents",
            "TripTracking", "Projections", "TripsProjection", "RoutinesProjection",
            "TotalsProjection", "ActiveTripProjection", "Reports", "Rates", "DriveSimulation",
            "Proofs",
            "QRCodes", "Importers", "Archives", "EmbeddedFiles", "ArgumentParser", "SystemPackage",
        ],
    ]

    /// Values in, values out: no clock, file, environment, locale, randomness, output, concurrency
    /// or unsafe memory.
    static let core: Set<String> = [
        "Geodesy", "CivilTime", "JSONText", "TripEvents", "RowCoding", "TripTracking",
        "Projections",
        "TripsProjection", "RoutinesProjection", "TotalsProjection", "ActiveTripProjection",
        "Reports", "Rates", "DriveSimulation", "QRCodes", "Drawing", "Documents", "Maps",
        "Pagination",
        "RowFormats", "Importers",
    ]

    /// The doors to C.
    static let doors: Set<String> = [
        "CLMDB", "CCrypto", "CPlatform", "CChecksum", "CZstd", "CExpat", "CZlib", "CArchive",
        "CPango", "CCurl", "CResources",
    ]

    /// The only modules that open the doors and handle memory by hand.
    static let memoryKeepers: Set<String> = [
        "Platform", "LMDB", "Proofs", "EventStore", "XMLText", "Archives", "EmbeddedFiles",
        "LedgerPrint", "LedgerSync", "WebPage",
    ]
}
