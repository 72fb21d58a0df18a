// swift-tools-version: 6.2
// The trip ledger's package. The graph of targets below is the house: this is the only place where it
// is written. `HouseTests` read it, and with `--explicit-target-dependency-import-check error` (in
// tools/) they keep it that way. A new arrow is a design decision, made in a commit of its own.

import PackageDescription

/// What every module of ours is built with.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// What is added where tools/test builds, which sets LEDGER_TESTS.
///
/// It builds as for a release: the tests replay so many events, and start `ledger` so often, that it
/// saves more than it costs to optimise the modules that do it, and the libraries. Programs and the
/// tests themselves run for moments, and are built quickly.
let quickly: [SwiftSetting] =
    Context.environment["LEDGER_TESTS"] == nil ? [] : [.unsafeFlags(["-Onone"])]

/// The programs that the tests start thousands of times are one file there, as in the packages: it
/// starts in a tenth of the time that loading some thirty libraries takes.
let asOneFile: [LinkerSetting] =
    Context.environment["LEDGER_TESTS"] == nil
    ? []
    : [.unsafeFlags(["-static-executable", "-l_FoundationCShims", "-l_FoundationCollections"])]

/// Tests may use Foundation and force nothing else; memory safety is the product's concern.
let testSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The two modules that lend C memory to Swift also say for how long.
let lending: [SwiftSetting] = house + [.enableExperimentalFeature("Lifetimes")]

/// A dependency of the server, which is neither fetched nor built without the trait `Server`.
func forServer(_ product: String, package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

/// A module of a room, which is a folder of `Sources`: it may depend on modules of its room and of
/// rooms below.
func module(
    _ name: String,
    in room: String,
    dependencies: [Target.Dependency] = [],
    exclude: [String] = [],
    swiftSettings: [SwiftSetting] = house
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/\(room)/\(name)",
        exclude: exclude,
        swiftSettings: room == "Programs" ? swiftSettings + quickly : swiftSettings
    )
}

/// A program, of the topmost room.
func program(
    _ name: String,
    dependencies: [Target.Dependency],
    exclude: [String] = [],
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: "Sources/Programs/\(name)",
        exclude: exclude,
        swiftSettings: house + quickly,
        linkerSettings: linkerSettings
    )
}

/// A door: the module map and the shim of a C library, which Debian's packages bring.
func door(_ name: String, pkgConfig: String? = nil, apt packages: [String] = []) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/Doors/\(name)",
        pkgConfig: pkgConfig,
        providers: packages.isEmpty ? nil : [.apt(packages)]
    )
}

/// What tests of several modules share, in the folder `Tests`.
func support(_ name: String, dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Tests/\(name)",
        swiftSettings: testSettings + quickly
    )
}

/// Tests, of the module whose name they have, in the folder `Tests`.
func tests(
    of name: String,
    dependencies: [Target.Dependency] = [],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: dependencies,
        exclude: exclude,
        // Those of the house read each line of the repository.
        swiftSettings: name == "House" ? testSettings : testSettings + quickly
    )
}

/// Paths, descriptors and errno.
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "trip-ledger",
    products: [
        .executable(name: "ledger", targets: ["LedgerTool"]),
        .executable(name: "ledger-mqtt", targets: ["LedgerMQTT"]),
        .executable(name: "ledger-print", targets: ["LedgerPrint"]),
        .executable(name: "ledger-replicate", targets: ["LedgerReplicate"]),
        .executable(name: "ledger-serve", targets: ["LedgerServer"]),
        .executable(name: "ledger-sync", targets: ["LedgerSync"]),
        .library(name: "TripLedger", targets: ["TripLedger"]),
        .library(name: "LedgerKeeping", targets: ["LedgerKeeping"]),
        .library(name: "DriveSimulation", targets: ["DriveSimulation"]),
    ],
    traits: [
        // The command line alone is made of 2 packages, the server of 25 (187 MB of checkouts):
        // `--disable-default-traits` does not fetch them.
        .trait(name: "Server", description: "The packages of the program `ledger-serve`"),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        // Commands, help and completion scripts: a solved problem that users know from other tools.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // File paths, descriptors and errno as Swift types, instead of our own shims over libc.
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        // HTTP/1.1 for phones: parsing what strangers send, back-pressure and an orderly end are the
        // work of years. Without its default traits it brings neither TLS, which is a proxy's work,
        // nor full Foundation. Only `ledger-serve` is linked with it and what follows.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: []
        ),
        // What Hummingbird is made of, and gives and takes: requests, logs, connections and an
        // orderly end.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Doors, room at the bottom: C libraries.
        door("CLMDB", pkgConfig: "lmdb", apt: ["liblmdb-dev"]),
        door("CCrypto", pkgConfig: "libcrypto", apt: ["libssl-dev"]),
        door("CPlatform"),
        // The zstd format (RFC 8878), which others have tested for longer than we could, for
        // compact blocks: bytes that outlive the program are better in a format that every
        // platform reads.
        door("CZstd", pkgConfig: "libzstd", apt: ["libzstd-dev"]),
        // XML (GPX and others): a parser that has met thirty years of hostile files.
        door("CExpat", pkgConfig: "expat", apt: ["libexpat1-dev"]),
        // gzip, with its checksums: libarchive reads gzip too and does not check them. The files of
        // the page are sent as it compresses them.
        door("CZlib", pkgConfig: "zlib", apt: ["zlib1g-dev"]),
        // zip and tar, as archives of location histories come: formats with as many dialects as
        // writers, read by what distributions read them with.
        door(
            "CArchive",
            pkgConfig: "libarchive",
            apt: ["libarchive-dev", "libbz2-dev", "liblzma-dev", "nettle-dev", "zlib1g-dev"]
        ),
        // Pictures as PNG and PDF, with letters of any script: Cairo draws and Pango sets text for
        // whole desktops. Only `ledger-print` is linked with them.
        door("CPango", pkgConfig: "pangocairo", apt: ["libpango1.0-dev", "libcairo2-dev"]),
        // HTTP and HTTPS for the side that asks, with the system's certificates: a client of Swift's
        // own brings a second TLS library and minutes of building. Only `ledger-sync` is linked
        // with it.
        door("CCurl", pkgConfig: "libcurl", apt: ["libcurl4-openssl-dev"]),
        // MQTT with TLS: sessions, acknowledgements and reconnecting are easily got wrong. It
        // acknowledges a message after its receiver has returned; the libmosquitto that Debian has
        // does so before, and would lose what is not stored yet. Debian's package has no file for
        // pkg-config. Only `ledger-mqtt` is linked with it.
        door("CPaho", apt: ["libpaho-mqtt-dev"]),
        // PostgreSQL: the protocol, passwords, services and TLS of its own client, which cannot be
        // linked statically on Debian. Only `ledger-replicate` is linked with it.
        door("CPostgres", pkgConfig: "libpq", apt: ["libpq-dev"]),
        .target(
            name: "CChecksum",
            path: "Sources/Doors/CChecksum",
            publicHeadersPath: "include"
        ),
        // Files that are part of the programs: constants by C's #embed, as SwiftPM's `.embedInCode`
        // makes a list of numbers of each, which took a minute of each build.
        .target(name: "CResources", path: "Sources/Doors/CResources"),

        // Basics: what knows no event.
        // Dates, RFC 3339 and time zones: rules of the calendar.
        module("CivilTime", in: "Basics"),
        // Strict JSON in and out, and decimals as they were written: a text format, of which events
        // are one use.
        module("JSONText", in: "Basics"),
        module("EmbeddedFiles", in: "Basics", dependencies: ["CResources"]),

        // Storage: bytes on disk, and proofs, which need neither disk nor ledger.
        // Files, locks, processes, threads, streams and the clock as Swift, so that no other module
        // calls the C library for them. It throws `Errno`; modules that know what a ledger is turn
        // that into an error of theirs.
        module(
            "Platform",
            in: "Storage",
            dependencies: ["CPlatform", "CivilTime", systemPackage]
        ),
        module("Proofs", in: "Storage", dependencies: ["CCrypto"], swiftSettings: lending),
        module(
            "LMDB",
            in: "Storage",
            dependencies: ["CLMDB", "Platform", systemPackage],
            swiftSettings: lending
        ),
        module(
            "EventStore",
            in: "Storage",
            dependencies: ["Proofs", "LMDB", "Platform", "CChecksum", "CZstd", systemPackage],
            swiftSettings: lending
        ),

        // Heart: values in, values out.
        module("Geodesy", in: "Heart"),
        module("TripEvents", in: "Heart", dependencies: ["Geodesy", "CivilTime", "JSONText"]),
        // The bytes of rows and of trackers, which every view reads and writes: below the tracker,
        // whose state is stored too, and above nothing but times and places.
        module("RowCoding", in: "Heart", dependencies: ["Geodesy", "CivilTime"]),
        module(
            "TripTracking",
            in: "Heart",
            dependencies: ["Geodesy", "TripEvents", "RowCoding"]
        ),
        module(
            "Projections",
            in: "Heart",
            dependencies: ["Geodesy", "TripEvents", "RowCoding", "TripTracking"]
        ),

        // Projectors: one view each; none depends on another.
        module(
            "TripsProjection",
            in: "Projectors",
            dependencies: ["TripEvents", "RowCoding", "TripTracking", "Projections"]
        ),
        module(
            "RoutinesProjection",
            in: "Projectors",
            dependencies: ["Geodesy", "TripEvents", "RowCoding", "TripTracking", "Projections"]
        ),
        module(
            "TotalsProjection",
            in: "Projectors",
            dependencies: ["Geodesy", "TripEvents", "RowCoding", "TripTracking", "Projections"]
        ),
        module(
            "ActiveTripProjection",
            in: "Projectors",
            dependencies: ["TripEvents", "RowCoding", "TripTracking", "Projections"]
        ),
        module(
            "VisitsProjection",
            in: "Projectors",
            dependencies: ["TripEvents", "RowCoding", "Projections"]
        ),

        // Formats: those of others, which bytes come in and lines of events go out, whether they
        // come from files or over HTTP; and simulated drives.
        module(
            "Importers",
            in: "Formats",
            dependencies: ["TripEvents", "CExpat", "CZlib", "CArchive"],
            swiftSettings: lending
        ),
        module("DriveSimulation", in: "Formats", dependencies: ["TripEvents"]),

        // Ledger: the one door, with clock, disk and terminal.
        // Rates per distance as data, and what trips come to by them, in exact decimals.
        module(
            "Rates",
            in: "Ledger",
            dependencies: ["EmbeddedFiles", "Geodesy", "TripEvents"],
            exclude: ["Tables"]
        ),
        module(
            "TripLedger",
            in: "Ledger",
            dependencies: [
                "EventStore", "LMDB", "Proofs", "Platform", "Geodesy", "TripEvents",
                "RowCoding", "TripTracking", "Projections", "TripsProjection",
                "RoutinesProjection", "TotalsProjection", "ActiveTripProjection",
                "VisitsProjection", "Rates", systemPackage,
            ]
        ),

        // Keeping: evidence and safekeeping, which the ledger never names.
        // What a server of a ledger must know and the log must not hold: tokens, by their digests, and
        // what was delivered and can never become an event. Apart from the ledger, so that who only
        // records and reads opens no third environment. What apps delivered is read in one place, at
        // the door and when it is tried again.
        module(
            "ServerStore",
            in: "Keeping",
            dependencies: [
                "TripLedger", "Importers", "TripEvents", "LMDB", "Proofs", "Platform", "CivilTime",
                "RowCoding", "JSONText", systemPackage,
            ]
        ),
        // Exports, signed heads, proofs, checks, erasing, backups, rescue. What a server keeps is
        // looked at and backed up as the log is.
        module(
            "LedgerKeeping",
            in: "Keeping",
            dependencies: [
                "TripLedger", "ServerStore", "EventStore", "LMDB", "Proofs", "Platform",
                "TripEvents", "TripTracking", "Projections", "TripsProjection", systemPackage,
            ]
        ),

        // Faces: what people and programs see.
        // Pictures, codes and reports for paper and screens as values, and how they are written: SVG,
        // HTML, JSON, and pages as numbers, apart from what draws them. It knows no trips.
        module("Papers", in: "Faces", dependencies: ["JSONText", "TripEvents"]),
        // Maps as pictures: positions and words in, and nothing of trips. Land and borders are part
        // of the program, for a map asks no network.
        module(
            "Maps",
            in: "Faces",
            dependencies: ["Papers", "EmbeddedFiles", "Geodesy", "JSONText"],
            exclude: ["Background", "map.js"]
        ),
        // Columns and cells, and how rows of them are written, in every language: text, JSON, CSV.
        // Beside them only those rows of the heart's values that both modules below print. It knows
        // neither arguments nor terminals, and no ledger: it is built beside `TripLedger`.
        module(
            "Tables",
            in: "Faces",
            dependencies: ["Papers", "Geodesy", "TripEvents", "TripTracking", "Projections"]
        ),
        // The rows of a ledger: what lists of the command line and of a server show, tracks and
        // trips in the formats of others, and maps of trips. It knows no reports and they know no
        // lists, so that both are built at once.
        module(
            "LedgerRows",
            in: "Faces",
            dependencies: [
                "Tables", "TripLedger", "ServerStore", "Geodesy", "TripEvents", "TripTracking",
                "Projections", "ActiveTripProjection", "RoutinesProjection", "Rates", "Papers",
                "Maps", "Proofs",
            ]
        ),
        // Logs, claims, summaries and what else is handed over: their figures, their sheets, and
        // their phrases in every language.
        module(
            "Reports",
            in: "Faces",
            dependencies: [
                "Tables", "TripLedger", "Geodesy", "TripEvents", "TripTracking", "Projections",
                "TotalsProjection", "Rates", "Papers", "Proofs",
            ]
        ),

        // Programs. Each that needs a library or a network of its own is one apart, so that `ledger`
        // stays one small static file.
        program(
            "LedgerTool",
            dependencies: [
                "Tables", "LedgerRows", "Reports", "Papers", "Maps", "LedgerKeeping", "ServerStore",
                "TripLedger", "Platform", "Geodesy", "TripEvents", "TripTracking", "Projections",
                "TripsProjection", "RoutinesProjection", "TotalsProjection",
                "ActiveTripProjection", "Rates", "DriveSimulation", "Proofs",
                "Importers", "EmbeddedFiles",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                systemPackage,
            ],
            linkerSettings: asOneFile
        ),
        // Pictures and documents as PNG and PDF; it knows no ledgers. What it adds to Cairo's files is
        // compressed as PDF asks for it, by zlib.
        program(
            "LedgerPrint",
            dependencies: [
                "EmbeddedFiles", "JSONText", "Papers", "Platform", "CPango", "CZlib", systemPackage,
            ]
        ),
        // The side of an exchange that asks, and the one that tells notices to others: each has the
        // time when it was found, and is signed.
        program(
            "LedgerSync",
            dependencies: [
                "LedgerKeeping", "ServerStore", "TripLedger", "TripEvents", "Tables", "LedgerRows",
                "EmbeddedFiles", "JSONText", "Proofs", "Platform", "CCurl", systemPackage,
            ]
        ),
        // What a broker hands over, read as at the server's doors, and what Home Assistant is told.
        program(
            "LedgerMQTT",
            dependencies: [
                "ServerStore", "TripLedger", "Importers", "Projections", "TripEvents", "Geodesy",
                "EmbeddedFiles", "JSONText", "Proofs", "Platform", "CPaho", systemPackage,
            ]
        ),
        // The log in a database with more than one server, segment by segment; its SQL is part of it.
        program(
            "LedgerReplicate",
            dependencies: [
                "LedgerKeeping", "LedgerRows", "ServerStore", "TripLedger", "TripEvents",
                "EmbeddedFiles", "JSONText", "Proofs", "Platform", "CPostgres", systemPackage,
            ],
            exclude: ["replica.sql", "rows.sql"]
        ),
        // A ledger over HTTP: what a route is, who asks, bodies, problems; one writer and some
        // readers of the ledger. Concurrency begins here. It is apart from the server, so that the
        // paths of other servers' clients can be made of it and know nothing of the page.
        module(
            "LedgerHTTP",
            in: "Programs",
            dependencies: [
                "TripLedger", "ServerStore", "LedgerRows", "Reports", "Tables", "Importers",
                "TripEvents", "Platform", "JSONText",
                forServer("Hummingbird", package: "hummingbird"),
                forServer("HTTPTypes", package: "swift-http-types"),
                forServer("NIOCore", package: "swift-nio"),
                forServer("NIOPosix", package: "swift-nio"),
                forServer("ServiceLifecycle", package: "swift-service-lifecycle"),
                systemPackage,
            ]
        ),
        // The feed client and the webhook app: what they say, in the ledger's words and back. The
        // server adds their paths to its own by one call.
        module(
            "ClientAPI",
            in: "Programs",
            dependencies: [
                "LedgerHTTP", "TripLedger", "ServerStore", "TripEvents", "Platform", "JSONText",
                forServer("Hummingbird", package: "hummingbird"),
                forServer("HTTPTypes", package: "swift-http-types"),
                forServer("NIOCore", package: "swift-nio"),
            ]
        ),
        // The server with its paths and its web page. It shows the link that sets a browser up as a
        // code for phones, which is one of the papers.
        program(
            "LedgerServer",
            dependencies: [
                "ClientAPI", "LedgerHTTP", "TripLedger", "LedgerKeeping", "ServerStore",
                // A rate of the owner's own is set at `/v1/rates`.
                "Rates",
                "Tables", "LedgerRows", "Reports", "Papers", "Importers", "TripEvents", "Proofs",
                "Platform", "JSONText", "EmbeddedFiles",
                forServer("Hummingbird", package: "hummingbird"),
                forServer("HummingbirdCore", package: "hummingbird"),
                forServer("HTTPTypes", package: "swift-http-types"),
                forServer("Logging", package: "swift-log"),
                forServer("NIOCore", package: "swift-nio"),
                forServer("NIOHTTP1", package: "swift-nio"),
                forServer("NIOHTTPTypes", package: "swift-nio-extras"),
                forServer("NIOPosix", package: "swift-nio"),
                forServer("ServiceLifecycle", package: "swift-service-lifecycle"),
                systemPackage,
            ],
            exclude: ["Page/web"],
            linkerSettings: asOneFile
        ),

        // Tests. They run the real LMDB, the real binary, real files.
        // Seeds, directories, the shared data, and the programs run as a person runs them: it
        // knows no ledger, so that most tests are compiled while the modules above are.
        support(
            "TestSupport",
            dependencies: ["DriveSimulation", "Proofs", "TripEvents", "Platform", systemPackage]
        ),
        // The laws of projectors, and the books that they are tried on.
        support(
            "ProjectorTestSupport",
            dependencies: [
                "DriveSimulation", "Projections", "TripTracking", "TripEvents", "Geodesy",
            ]
        ),
        // A ledger in a directory of its own, and what it must be after every step.
        support(
            "LedgerTestSupport",
            dependencies: [
                "Tables", "LedgerRows", "LedgerKeeping", "TripLedger", "EventStore", "Proofs",
                "DriveSimulation", "TripsProjection", "RoutinesProjection", "TotalsProjection",
                "Projections", "TripTracking", "TripEvents", "Platform", "TestSupport",
                "ProjectorTestSupport", systemPackage,
            ]
        ),
        tests(
            of: "Platform",
            dependencies: ["Platform", "TestSupport", systemPackage]
        ),
        tests(
            of: "LMDB",
            dependencies: ["LMDB", "Platform", "DriveSimulation", "TestSupport", systemPackage]
        ),
        tests(
            of: "Proofs",
            dependencies: ["Proofs", "DriveSimulation", "TestSupport"]
        ),
        tests(
            of: "EventStore",
            dependencies: [
                "EventStore", "LMDB", "Platform", "Proofs", "DriveSimulation", "TestSupport",
                systemPackage,
            ],
            exclude: ["Golden"]
        ),
        tests(
            of: "EmbeddedFiles",
            dependencies: ["EmbeddedFiles"]
        ),
        tests(
            of: "Geodesy",
            dependencies: ["Geodesy", "DriveSimulation", "TestSupport"]
        ),
        tests(
            of: "CivilTime",
            dependencies: ["CivilTime", "DriveSimulation", "TestSupport"]
        ),
        tests(
            of: "JSONText",
            dependencies: ["JSONText", "DriveSimulation", "TestSupport"]
        ),
        tests(
            of: "TripEvents",
            dependencies: [
                "TripEvents", "TripLedger", "Geodesy", "DriveSimulation", "JSONText",
                "TestSupport", "LedgerTestSupport",
            ]
        ),
        tests(
            of: "RowCoding",
            dependencies: ["RowCoding", "CivilTime", "Geodesy", "DriveSimulation", "TestSupport"]
        ),
        tests(
            of: "TripTracking",
            dependencies: [
                "RowCoding", "TripTracking", "TripEvents", "Geodesy", "DriveSimulation",
                "TestSupport", "ProjectorTestSupport",
            ]
        ),
        tests(
            of: "Projections",
            dependencies: [
                "Projections", "TripTracking", "TripEvents", "Geodesy", "DriveSimulation",
                "TestSupport", "ProjectorTestSupport",
            ]
        ),
        tests(
            of: "TripsProjection",
            dependencies: [
                "TripsProjection", "Projections", "RowCoding", "TripTracking", "TripEvents",
                "Geodesy", "DriveSimulation", "TestSupport", "ProjectorTestSupport",
            ]
        ),
        tests(
            of: "RoutinesProjection",
            dependencies: [
                "RoutinesProjection", "Projections", "TripTracking", "TripEvents", "Geodesy",
                "DriveSimulation", "TestSupport", "ProjectorTestSupport",
            ]
        ),
        tests(
            of: "TotalsProjection",
            dependencies: [
                "TotalsProjection", "Projections", "TripTracking", "TripEvents", "Geodesy",
                "DriveSimulation", "TestSupport", "ProjectorTestSupport",
            ]
        ),
        tests(
            of: "ActiveTripProjection",
            dependencies: [
                "ActiveTripProjection", "Projections", "RowCoding", "TripTracking", "TripEvents",
                "Geodesy", "DriveSimulation", "TestSupport", "ProjectorTestSupport",
            ]
        ),
        tests(
            of: "VisitsProjection",
            dependencies: [
                "VisitsProjection", "Projections", "TripEvents", "DriveSimulation",
                "TestSupport", "ProjectorTestSupport",
            ]
        ),
        tests(
            of: "Rates",
            dependencies: ["Rates", "TripEvents", "Geodesy", "DriveSimulation", "TestSupport"]
        ),
        tests(
            of: "DriveSimulation",
            dependencies: ["DriveSimulation", "TripEvents", "Geodesy", "TestSupport"]
        ),
        tests(
            of: "ServerStore",
            dependencies: [
                "ServerStore", "TripLedger", "LMDB", "Proofs", "Platform", "CivilTime",
                "DriveSimulation", "TripEvents", "TestSupport", systemPackage,
            ]
        ),
        tests(
            of: "TripLedger",
            dependencies: [
                "Tables", "LedgerRows", "TripLedger", "LedgerKeeping", "EventStore", "Platform",
                "Proofs", "TripsProjection", "TotalsProjection", "RoutinesProjection",
                "VisitsProjection", "Reports", "Projections", "TripTracking", "TripEvents",
                "Geodesy", "DriveSimulation", "TestSupport", "ProjectorTestSupport",
                "LedgerTestSupport", systemPackage,
            ]
        ),
        tests(
            of: "LedgerKeeping",
            dependencies: [
                "LedgerKeeping", "ServerStore", "TripLedger", "EventStore", "LMDB", "Platform",
                "Proofs", "TripsProjection", "Projections", "TripTracking", "TripEvents",
                "DriveSimulation", "Tables", "Reports", "TestSupport", "ProjectorTestSupport",
                "LedgerTestSupport", systemPackage,
            ]
        ),
        tests(
            of: "Tables",
            dependencies: [
                "Tables", "Projections", "TripEvents", "Geodesy", "DriveSimulation", "TestSupport",
            ]
        ),
        tests(
            of: "LedgerRows",
            dependencies: [
                "LedgerRows", "Tables", "Maps", "Reports", "TripLedger", "TotalsProjection",
                "RoutinesProjection", "Projections", "TripTracking", "TripEvents", "Geodesy",
                "DriveSimulation", "TestSupport", "ProjectorTestSupport", "LedgerTestSupport",
            ]
        ),
        tests(
            of: "Reports",
            dependencies: [
                "Reports", "Tables", "Papers", "TripLedger", "Rates", "TotalsProjection",
                "Projections", "TripTracking", "TripEvents", "Geodesy", "DriveSimulation",
                "JSONText", "TestSupport", "ProjectorTestSupport", "LedgerTestSupport",
            ]
        ),
        tests(
            of: "Papers",
            dependencies: [
                "Papers", "JSONText", "TripEvents", "Importers", "DriveSimulation", "TestSupport",
            ],
            exclude: ["Codes/Golden"]
        ),
        tests(
            of: "Maps",
            dependencies: [
                "Maps", "Papers", "Importers", "Proofs", "Geodesy", "DriveSimulation",
                "TestSupport",
            ]
        ),
        tests(
            of: "Importers",
            dependencies: [
                "Importers", "TripLedger", "TripEvents", "DriveSimulation", "TestSupport",
                "LedgerTestSupport",
            ]
        ),
        // The rules of the house itself.
        tests(of: "House"),
        // The programs as a person or an app runs them, by subject: each part is compiled by one
        // core, and all but the last need no module of the ledger.
        // Commands, their words and their transcripts.
        tests(
            of: "EndToEnd",
            dependencies: ["DriveSimulation", "TripEvents", "TestSupport"],
            exclude: ["Transcripts"]
        ),
        // The server: its paths, who gets in, and what each may see.
        tests(
            of: "ServerEndToEnd",
            dependencies: ["DriveSimulation", "TripEvents", "TestSupport"]
        ),
        // What speaks to a server: phones, apps, witnesses, other ledgers.
        tests(
            of: "ClientEndToEnd",
            dependencies: ["DriveSimulation", "Proofs", "TestSupport"]
        ),
        // What is shown to others and what is kept: reports, papers, bundles, backups, rescue.
        tests(
            of: "EvidenceEndToEnd",
            dependencies: [
                "TripLedger", "Tables", "Reports", "Rates", "Papers", "ServerStore", "LMDB",
                "DriveSimulation", "TripEvents", "TestSupport", "LedgerTestSupport", systemPackage,
            ],
            exclude: ["Golden"]
        ),
    ]
)

// `tools/fuzz/run` sets this. The target has libFuzzer's `main`: nothing else is built with it.
if Context.environment["LEDGER_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "LedgerFuzzing",
            dependencies: [
                "LedgerKeeping", "TripLedger", "EventStore", "Proofs", "Platform", "TripEvents",
                "Importers",
                systemPackage,
            ],
            path: "tools/fuzz/Targets",
            swiftSettings: testSettings + [.unsafeFlags(["-parse-as-library"])]
        )
    )
}
