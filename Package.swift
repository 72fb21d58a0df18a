// swift-tools-version: 6.2
// The trip ledger's package. The target graph below is DESIGN's module table; `HouseTests` and
// `--explicit-target-dependency-import-check error` (in tools/) keep it that way.

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

/// Tests may use Foundation and force nothing else; memory safety is the product's concern.
let tests: [SwiftSetting] = [
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

let package = Package(
    name: "trip-ledger",
    products: [
        .executable(name: "ledger", targets: ["LedgerTool"]),
        .executable(name: "ledger-print", targets: ["LedgerPrint"]),
        .executable(name: "ledger-serve", targets: ["LedgerServer"]),
        .executable(name: "ledger-sync", targets: ["LedgerSync"]),
        .library(name: "TripLedger", targets: ["TripLedger"]),
        .library(name: "LedgerKeeping", targets: ["LedgerKeeping"]),
        .library(name: "DriveSimulation", targets: ["DriveSimulation"]),
    ],
    traits: [
        // The command line alone is made of 2 packages, the server of 25 (232 MB of checkouts):
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
        // C doors: a module map and a shim each.
        .systemLibrary(
            name: "CLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"])]
        ),
        .systemLibrary(
            name: "CCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(name: "CPlatform"),
        // The zstd format (RFC 8878), which others have tested for longer than we could, for
        // compact blocks: bytes that outlive the program are better in a format that every
        // platform reads.
        .systemLibrary(
            name: "CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"])]
        ),
        .target(name: "CChecksum", publicHeadersPath: "include"),
        // XML (GPX and others): a parser that has met thirty years of hostile files.
        .systemLibrary(
            name: "CExpat",
            pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"])]
        ),
        // gzip, with its checksums: libarchive reads gzip too and does not check them. The files of
        // the page are sent as it compresses them.
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        // Pictures as PNG and PDF, with letters of any script: Cairo draws and Pango sets text for
        // whole desktops. Only `ledger-print` is linked with them.
        .systemLibrary(
            name: "CPango",
            pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]
        ),
        // HTTP and HTTPS for the side that asks, with the system's certificates: a client of Swift's
        // own brings a second TLS library and minutes of building. Only `ledger-sync` is linked
        // with it.
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        // zip and tar, as archives of location histories come: formats with as many dialects as
        // writers, read by what distributions read them with.
        .systemLibrary(
            name: "CArchive",
            pkgConfig: "libarchive",
            providers: [
                .apt(["libarchive-dev", "libbz2-dev", "liblzma-dev", "nettle-dev", "zlib1g-dev"])
            ]
        ),

        // Files, locks, processes, threads, streams and the clock as Swift, so that no other module
        // calls the C library for them. It throws `Errno`; modules that know what a ledger is turn
        // that into an error of theirs.
        .target(
            name: "Platform",
            dependencies: [
                "CPlatform", "CivilTime",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house
        ),

        // Shell, lower half: proofs, which need neither disk nor ledger, and bytes on disk.
        .target(name: "Proofs", dependencies: ["CCrypto"], swiftSettings: lending),
        .target(
            name: "LMDB",
            dependencies: [
                "CLMDB", "Platform", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: lending
        ),
        .target(
            name: "EventStore",
            dependencies: [
                "Proofs", "LMDB", "Platform", "CChecksum", "CZstd",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: lending
        ),

        // Files that are part of the programs: constants by C's #embed, as SwiftPM's `.embedInCode`
        // makes a list of numbers of each, which took a minute of each build.
        .target(name: "CResources", exclude: ["page"]),
        .target(name: "EmbeddedFiles", dependencies: ["CResources"], swiftSettings: house),

        // Core: values in, values out.
        .target(name: "Geodesy", swiftSettings: house),
        // Dates, RFC 3339 and time zones: rules of the calendar, which know no event.
        .target(name: "CivilTime", swiftSettings: house),
        // Strict JSON in and out, and decimals as they were written: a text format, of which events
        // are one use.
        .target(name: "JSONText", swiftSettings: house),
        .target(
            name: "TripEvents",
            dependencies: ["Geodesy", "CivilTime", "JSONText"],
            swiftSettings: house
        ),
        // The bytes of rows and of trackers, which every view reads and writes: below the tracker,
        // whose state is stored too, and above nothing but times and places.
        .target(name: "RowCoding", dependencies: ["Geodesy", "CivilTime"], swiftSettings: house),
        .target(
            name: "TripTracking",
            dependencies: ["Geodesy", "TripEvents", "RowCoding"],
            swiftSettings: house
        ),
        .target(
            name: "Projections",
            dependencies: ["Geodesy", "TripEvents", "RowCoding", "TripTracking"],
            swiftSettings: house
        ),
        .target(
            name: "TripsProjection",
            dependencies: ["TripEvents", "RowCoding", "TripTracking", "Projections"],
            swiftSettings: house
        ),
        .target(
            name: "RoutinesProjection",
            dependencies: ["Geodesy", "TripEvents", "RowCoding", "TripTracking", "Projections"],
            swiftSettings: house
        ),
        .target(
            name: "TotalsProjection",
            dependencies: ["Geodesy", "TripEvents", "RowCoding", "TripTracking", "Projections"],
            swiftSettings: house
        ),
        .target(
            name: "ActiveTripProjection",
            dependencies: ["TripEvents", "RowCoding", "TripTracking", "Projections"],
            swiftSettings: house
        ),
        .target(
            name: "Reports",
            dependencies: ["Geodesy", "TripEvents", "TripTracking", "Projections"],
            swiftSettings: house
        ),
        // Rates per distance as data, and what trips come to by them, in exact decimals.
        .target(
            name: "Rates",
            dependencies: ["EmbeddedFiles", "Geodesy", "TripEvents"],
            exclude: ["Tables"],
            swiftSettings: house
        ),
        .target(
            name: "DriveSimulation",
            dependencies: ["TripEvents"],
            swiftSettings: house
        ),
        .target(name: "QRCodes", swiftSettings: house),
        // Pictures as values: lines, signs and words, which others draw.
        .target(name: "Drawing", dependencies: ["JSONText"], swiftSettings: house),
        // Reports for paper and screens as values: HTML here, and JSON, of which `ledger-print` makes
        // PDF.
        .target(name: "Documents", dependencies: ["Drawing", "JSONText"], swiftSettings: house),
        // Maps as pictures. Land and borders are part of the program, for a map asks no network.
        .target(
            name: "Maps",
            dependencies: ["Drawing", "EmbeddedFiles", "Geodesy", "JSONText"],
            exclude: ["Background", "map.js"],
            swiftSettings: house
        ),
        // XML as tokens, so that the importers handle no memory by hand.
        .target(name: "XMLText", dependencies: ["CExpat"], swiftSettings: house),
        // What is compressed or holds files, as bytes, so that nothing else handles memory for it.
        .target(name: "Archives", dependencies: ["CZlib", "CArchive"], swiftSettings: lending),
        // Formats of others: bytes in, lines of events out, whether they come from files or over
        // HTTP.
        .target(name: "Importers", dependencies: ["TripEvents", "XMLText"], swiftSettings: house),

        // Shell, upper half: clock, disk, terminal.
        .target(
            name: "TripLedger",
            dependencies: [
                "EventStore", "LMDB", "Proofs", "Platform", "Geodesy", "TripEvents",
                "RowCoding", "TripTracking", "Projections", "TripsProjection",
                "RoutinesProjection", "TotalsProjection", "ActiveTripProjection", "Rates",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house
        ),
        // What a server of a ledger must know and the log must not hold: tokens, by their digests, and
        // what was delivered and can never become an event. Apart from the ledger, so that who only
        // records and reads opens no third environment.
        .target(
            name: "ServerStore",
            dependencies: [
                "TripLedger", "Importers", "TripEvents", "LMDB", "Proofs", "Platform", "CivilTime",
                "RowCoding", "JSONText",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house
        ),
        // Evidence and safekeeping: exports, signed heads, proofs, checks, erasing, backups, rescue. A
        // program that records and reads needs none of it, so the ledger never names it.
        .target(
            name: "LedgerKeeping",
            dependencies: [
                "TripLedger", "ServerStore", "EventStore", "LMDB", "Proofs", "Platform",
                "TripEvents",
                "TripTracking", "Projections", "TripsProjection",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house
        ),
        // What the command line and a server print: rows as text, JSON and CSV. It knows neither
        // arguments nor terminals, so that both can use it.
        .target(
            name: "RowFormats",
            dependencies: [
                "TripLedger", "Geodesy", "TripEvents", "TripTracking", "Projections",
                "ActiveTripProjection", "RoutinesProjection", "TotalsProjection", "Reports",
                "Rates", "Drawing",
                "Documents",
                "Maps", "ServerStore", "Proofs", "QRCodes",
            ],
            swiftSettings: house
        ),
        .executableTarget(
            name: "LedgerTool",
            dependencies: [
                "RowFormats", "Drawing", "Documents", "Maps", "LedgerKeeping", "ServerStore",
                "TripLedger", "Platform",
                "Geodesy", "TripEvents",
                "TripTracking", "Projections", "TripsProjection", "RoutinesProjection",
                "TotalsProjection", "ActiveTripProjection", "Reports", "Rates", "DriveSimulation",
                "Proofs", "QRCodes", "Importers", "Archives", "EmbeddedFiles",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house
        ),

        // Columns and pages as numbers, apart from what draws them.
        .target(name: "Pagination", swiftSettings: house),
        // Pictures and documents as PNG and PDF: a program of its own, so that `ledger` stays one
        // static file.
        .executableTarget(
            name: "LedgerPrint",
            dependencies: [
                "JSONText", "Pagination", "Platform", "CPango",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house
        ),

        // The side of an exchange that asks: a program of its own, as its libraries are many.
        .executableTarget(
            name: "LedgerSync",
            dependencies: [
                "LedgerKeeping", "ServerStore", "TripLedger", "RowFormats", "JSONText", "Platform",
                "CCurl",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house
        ),

        // The web page as a part of the server.
        .target(name: "WebPage", dependencies: ["EmbeddedFiles", "CZlib"], swiftSettings: house),

        // The server: a program of its own, so that `ledger` stays one small file.
        .executableTarget(
            name: "LedgerServer",
            dependencies: [
                "TripLedger", "LedgerKeeping", "ServerStore", "RowFormats", "Importers",
                "TripEvents", "Proofs",
                "Platform", "JSONText", "WebPage",
                forServer("Hummingbird", package: "hummingbird"),
                forServer("HummingbirdCore", package: "hummingbird"),
                forServer("HTTPTypes", package: "swift-http-types"),
                forServer("Logging", package: "swift-log"),
                forServer("NIOCore", package: "swift-nio"),
                forServer("NIOHTTPTypes", package: "swift-nio-extras"),
                forServer("NIOPosix", package: "swift-nio"),
                forServer("ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house
        ),

        // Tests. They run the real LMDB, the real binary, real files.
        .target(
            name: "LedgerTestSupport",
            dependencies: [
                "RowFormats", "LedgerKeeping", "TripLedger", "EventStore", "Proofs",
                "DriveSimulation",
                "TripsProjection", "RoutinesProjection", "TotalsProjection", "Projections",
                "TripTracking", "TripEvents", "Geodesy", "Platform",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/LedgerTestSupport",
            swiftSettings: tests
        ),
        .testTarget(
            name: "PlatformTests",
            dependencies: [
                "Platform", "LedgerTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "LMDBTests",
            dependencies: [
                "LMDB", "Platform", "DriveSimulation", "LedgerTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ProofsTests",
            dependencies: ["Proofs", "DriveSimulation", "LedgerTestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "EventStoreTests",
            dependencies: [
                "EventStore", "LMDB", "Platform", "Proofs", "DriveSimulation",
                "LedgerTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Golden"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "EmbeddedFilesTests",
            dependencies: ["EmbeddedFiles"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "GeodesyTests",
            dependencies: ["Geodesy", "DriveSimulation", "LedgerTestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CivilTimeTests",
            dependencies: ["CivilTime", "DriveSimulation", "LedgerTestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "JSONTextTests",
            dependencies: ["JSONText", "DriveSimulation", "LedgerTestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripEventsTests",
            dependencies: [
                "TripEvents", "TripLedger", "Geodesy", "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "RowCodingTests",
            dependencies: [
                "RowCoding", "CivilTime", "Geodesy", "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripTrackingTests",
            dependencies: [
                "RowCoding", "TripTracking", "TripEvents", "Geodesy", "DriveSimulation",
                "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ProjectionsTests",
            dependencies: [
                "Projections", "TripTracking", "TripEvents", "Geodesy", "DriveSimulation",
                "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripsProjectionTests",
            dependencies: [
                "TripsProjection", "Projections", "RowCoding", "TripTracking", "TripEvents",
                "Geodesy",
                "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "RoutinesProjectionTests",
            dependencies: [
                "RoutinesProjection", "Projections", "TripTracking", "TripEvents", "Geodesy",
                "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TotalsProjectionTests",
            dependencies: [
                "TotalsProjection", "Projections", "TripTracking", "TripEvents", "Geodesy",
                "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ActiveTripProjectionTests",
            dependencies: [
                "ActiveTripProjection", "Projections", "RowCoding", "TripTracking", "TripEvents",
                "Geodesy",
                "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Reports", "RowFormats", "TotalsProjection", "Projections", "TripTracking",
                "TripEvents", "Geodesy", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "RatesTests",
            dependencies: [
                "Rates", "TripEvents", "Geodesy", "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "DriveSimulationTests",
            dependencies: ["DriveSimulation", "TripEvents", "Geodesy", "LedgerTestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ServerStoreTests",
            dependencies: [
                "ServerStore", "TripLedger", "LMDB", "Platform", "Proofs", "RowCoding", "CivilTime",
                "DriveSimulation", "LedgerTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripLedgerTests",
            dependencies: [
                "RowFormats", "TripLedger", "LedgerKeeping", "EventStore", "Platform", "Proofs",
                "TripsProjection", "TotalsProjection", "RoutinesProjection", "Reports",
                "Projections", "TripTracking", "TripEvents", "Geodesy", "DriveSimulation",
                "LedgerTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "LedgerKeepingTests",
            dependencies: [
                "LedgerKeeping", "ServerStore", "TripLedger", "EventStore", "LMDB", "Platform",
                "Proofs",
                "TripsProjection", "Projections", "TripTracking", "TripEvents", "DriveSimulation",
                "RowFormats", "LedgerTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "RowFormatsTests",
            dependencies: [
                "RowFormats", "Documents", "Drawing", "Maps", "TripLedger", "Reports", "Rates",
                "TripsProjection", "TotalsProjection",
                "RoutinesProjection", "ActiveTripProjection", "Projections", "TripTracking",
                "TripEvents", "Geodesy", "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "QRCodesTests",
            dependencies: ["QRCodes"],
            exclude: ["Golden"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "PaginationTests",
            dependencies: ["Pagination", "DriveSimulation", "LedgerTestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "DocumentsTests",
            dependencies: [
                "Documents", "Drawing", "JSONText", "XMLText", "DriveSimulation",
                "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MapsTests",
            dependencies: [
                "Maps", "Drawing", "XMLText", "Proofs", "Geodesy", "DriveSimulation",
                "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ArchivesTests",
            dependencies: ["Archives", "DriveSimulation", "LedgerTestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ImportersTests",
            dependencies: [
                "Importers", "TripLedger", "TripEvents", "DriveSimulation", "LedgerTestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(name: "HouseTests", swiftSettings: tests),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TripLedger", "ServerStore", "LMDB", "Proofs", "DriveSimulation", "TripEvents",
                "LedgerTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Golden", "Transcripts"],
            swiftSettings: tests
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
                "Importers", "Archives",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "tools/fuzz/Targets",
            swiftSettings: tests + [.unsafeFlags(["-parse-as-library"])]
        )
    )
}
