// swift-tools-version: 6.2
// What measures the library from outside: it sees no more than any program that uses it.

import PackageDescription

let package = Package(
    name: "trip-ledger-benchmarks",
    dependencies: [
        .package(name: "trip-ledger", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "AppendByBatch",
            dependencies: [
                .product(name: "TripLedger", package: "trip-ledger")
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
            ]
        )
    ]
)
