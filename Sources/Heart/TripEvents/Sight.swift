/// The part of a ledger that an asker sees: all of it, or the trips and positions of some sources
/// or of one group of sources.
///
/// Every asker sees the owner's settings for all, such as places. A trip that people have merged
/// with trips of other sources is visible only to an asker that sees all its parts.
package struct Sight: Hashable, Sendable {
    private enum Extent: Hashable, Sendable {
        case everything

        /// Names in bytes: two names that only look the same are different sources.
        case sources(Set<[UInt8]>)

        case group([UInt8])

        /// One group, or without one the owner, that an asker who may see everything looks at
        /// alone.
        case selection([UInt8]?)
    }

    private let extent: Extent

    private init(_ extent: Extent) {
        self.extent = extent
    }

    /// Sees all of the ledger.
    package static let everything = Sight(.everything)

    /// Sees what some sources have reported; with no source it would see nothing.
    package static func of(sources: [String]) -> Sight {
        Sight(.sources(Set(sources.map { Array($0.utf8) })))
    }

    /// Sees what the sources of a group have reported.
    package static func of(group: String) -> Sight { Sight(.group(Array(group.utf8))) }

    /// Sees what the sources of a group, or of the owner, have reported, and all that the owner
    /// said for every group: what a report about that group is made of.
    package static func of(_ selection: GroupSelection) -> Sight {
        Sight(.selection(selection.group.map { Array($0.utf8) }))
    }

    /// The group, or the owner, that is looked at alone; `nil` if none was selected.
    package var selection: GroupSelection? {
        guard case .selection(let group) = extent else { return nil }
        return GroupSelection(group.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Whether the rest is kept from the asker, and not only left out.
    package var isWalled: Bool {
        switch extent {
        case .everything, .selection: false
        case .sources, .group: true
        }
    }

    /// Whether all of the ledger is seen.
    package var isEverything: Bool { extent == .everything }

    /// Returns whether the reports of a source are seen.
    ///
    /// - Parameters:
    ///   - source: The name of the source.
    ///   - group: The group that it belongs to; `nil` for one of the owner's.
    /// - Returns: Whether they are seen.
    package func sees(_ source: String, of group: String?) -> Bool {
        switch extent {
        case .everything: true
        case .sources(let names): names.contains(Array(source.utf8))
        case .group(let seen): group.map { $0.utf8.elementsEqual(seen) } ?? false
        case .selection(let seen): Self.isSame(group, seen)
        }
    }

    private static func isSame(_ group: String?, _ seen: [UInt8]?) -> Bool {
        guard let group, let seen else { return group == nil && seen == nil }
        return group.utf8.elementsEqual(seen)
    }

    /// Returns whether a source's statement about an odometer, or about an expense of no trip, is
    /// seen.
    ///
    /// An asker from whom the rest is kept sees only its own sources' statements. For every other
    /// asker, a statement by a source of the owner concerns every group.
    package func seesReading(by source: String, of group: String?) -> Bool {
        isWalled ? sees(source, of: group) : seesSettings(of: group)
    }

    /// Returns whether a device or a link is seen: all of its sources must be, and for an asker who
    /// does not see everything it must have at least one.
    package func sees(_ sources: [String], of group: String?) -> Bool {
        isEverything || !sources.isEmpty && sources.allSatisfy { sees($0, of: group) }
    }

    /// Returns whether a device's deliveries for its sources are seen.
    ///
    /// In the log a source has one group. A device of a group may name a source of any other, so
    /// an asker who sees some sources by their names sees no device of a group.
    package func seesDevice(for sources: [String], of group: String?) -> Bool {
        if case .sources = extent, group != nil { return false }
        return sees(sources, of: group)
    }

    /// Returns whether the settings of a group are seen; `nil` for those of the owner, which are
    /// for all.
    package func seesSettings(of group: String?) -> Bool {
        guard let group else { return true }
        return switch extent {
        case .everything: true
        case .sources: false
        case .group(let seen): group.utf8.elementsEqual(seen)
        case .selection(let seen): Self.isSame(group, seen)
        }
    }
}

/// One group of sources, or the ledger's owner, whose sources are of no group: what is listed or
/// added up of it alone.
public struct GroupSelection: Hashable, Sendable {
    /// The group; `nil` for the owner.
    public let group: String?

    /// Selects a group, or the owner.
    public init(_ group: String?) {
        self.group = group
    }

    /// Returns whether something belongs to the group that was selected, byte by byte.
    public func includes(_ other: String?) -> Bool { group.hasSameBytes(as: other) }
}
