import RowCoding
public import TripEvents

/// What a trip says about the rules that it was derived with: `v1`, `v1/logger`, and with rules
/// that were changed one by one `v1+custom`, `v1/logger+custom`.
public struct RulesName: Hashable, Sendable, RawRepresentable {
    /// The published version.
    public var version: RulesVersion

    /// The preset; `phone`, the default, is not written.
    public var preset: TrackingPreset

    /// Whether single rules were changed.
    public var isCustom: Bool

    private static let customMark = "+custom"

    /// Creates a name.
    public init(version: RulesVersion, preset: TrackingPreset = .phone, isCustom: Bool = false) {
        self.version = version
        self.preset = preset
        self.isCustom = isCustom
    }

    /// Reads a name, or returns `nil` if it is none.
    public init?(rawValue: String) {
        isCustom = rawValue.hasSuffix(Self.customMark)
        let parts = rawValue.dropLast(isCustom ? Self.customMark.count : 0)
            .split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first,
            let version = RulesVersion(rawValue: String(first)),
            let preset = parts.count == 1 ? .phone : TrackingPreset(rawValue: String(parts[1]))
        else { return nil }
        self.version = version
        self.preset = preset
        guard self.rawValue == rawValue else { return nil }
    }

    /// The name as it is shown and stored.
    public var rawValue: String {
        version.rawValue + (preset == .phone ? "" : "/" + preset.rawValue)
            + (isCustom ? Self.customMark : "")
    }
}

/// The published versions of the tracking rules; the raw value is the name shown with a trip.
public enum RulesVersion: String, CaseIterable, Sendable {
    case v1
}

extension RowDecoder {
    private static let versionNames = ChoiceNames(of: RulesVersion.self)

    /// Reads a version of the tracking rules.
    mutating func readRulesVersion() throws(RowCodingError) -> RulesVersion {
        RulesVersion.allCases[try readIndex(in: Self.versionNames)]
    }

    /// Reads the name of tracking rules.
    mutating func readRulesName() throws(RowCodingError) -> RulesName {
        let range = try readRange()
        // Nearly every trip goes by plain rules.
        if let version = index(of: range, in: Self.versionNames) {
            return RulesName(version: RulesVersion.allCases[version])
        }
        guard let name = RulesName(rawValue: try text(in: range)) else { throw .invalidValue }
        return name
    }
}
