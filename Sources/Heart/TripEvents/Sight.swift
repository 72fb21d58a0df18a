/// The part of a ledger that an asker sees: all of it, or the trips and positions of some sources
/// or of one group of sources.
///
/// Every asker sees the owner's settings for all, such as places. A trip that people have merged
/// with trips of other sources is visible only to an asker that sees all its parts.
package struct Sight: Hashable, Sendable {
    private enum Extent: Hashable, Sendable {
        case everything

        /// Names in bytes: two that only look the same are two.
        case sources(Set<[UInt8]>)

        case group([UInt8])

        /// A group, or the owner without one, as who may see everything looks at it alone.
        case selection([UInt8]?)
    }

    private let extent: Extent

    private init(_ extent: Extent) {
        self.extent = extent
    }

    /// Sees all of the ledger.
    package static let everything = Sight(.everything)

    /// Sees what some sources have reported; none of them would see nothing.
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

    /// Whether the rest is kept from who asks, and not only left out.
    package var isWalled: Bool {
        switch extent {
        case .everything, .selection: false
        case .sources, .group: true
        }
    }

    /// Whether all of the ledger is seen.
    package var isEverything: Bool { extent == .everything }

    /// Returns whether is seen what a source has reported.
    ///
    /// - Parameters:
    ///   - source: The name of the source.
    ///   - group: The group that it belongs to; `nil` for one of the owner's.
    /// - Returns: Whether it is seen.
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

    /// Returns whether is seen what a source said of an odometer, or of something that was paid for
    /// no trip.
    ///
    /// That stays behind walls, and concerns every group if the owner's source said it.
    package func seesReading(by source: String, of group: String?) -> Bool {
        isWalled ? sees(source, of: group) : seesSettings(of: group)
    }

    /// Returns whether is seen what a device or a link is about: all of its sources, and for who
    /// does not see everything there has to be one.
    package func sees(_ sources: [String], of group: String?) -> Bool {
        isEverything || !sources.isEmpty && sources.allSatisfy { sees($0, of: group) }
    }

    /// Returns whether is seen what a device delivers for its sources.
    ///
    /// In the log a source has one group. A device of a group may name a source of any other, so
    /// who sees some sources by their names sees no device of a group.
    package func seesDevice(for sources: [String], of group: String?) -> Bool {
        if case .sources = extent, group != nil { return false }
        return sees(sources, of: group)
    }

    /// Returns whether is seen what was set for a group; `nil` for what the owner has set for all.
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
