// swift-tools-version:6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "aperture",
    platforms: [.macOS(.v13)],
    products: [
        .library(name: "Aperture", targets: ["Aperture"])
    ],
    targets: [
        // The C library as it is installed, and nothing else.
        .systemLibrary(
            name: "CAperture",
            pkgConfig: "aperture",
            providers: [
                .apt(["libaperture-dev"]),
                .brew(["libaperture"]),
            ]),
        .target(name: "Aperture", dependencies: ["CAperture"]),
        .executableTarget(
            name: "quickstart", dependencies: ["Aperture"],
            path: "Examples/quickstart"),
        .testTarget(
            name: "ApertureTests", dependencies: ["Aperture", "quickstart"],
            exclude: ["Pages"]),
    ],
    swiftLanguageModes: [.v6]
)
