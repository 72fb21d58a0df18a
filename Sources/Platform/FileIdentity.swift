package import SystemPackage

/// Tells a file from every other one, by whatever path it was reached.
package struct FileIdentity: Equatable, Sendable {
    private let device: DeviceID
    private let inode: Inode

    /// Creates the identity of the file that a status was read from.
    package init(_ status: Stat) {
        device = status.deviceID
        inode = status.inode
    }
}
