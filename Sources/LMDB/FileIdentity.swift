internal import SystemPackage

/// Tells a file from every other one, by whatever path it was reached.
struct FileIdentity: Equatable, Sendable {
    private let device: DeviceID
    private let inode: Inode

    init(_ status: Stat) {
        device = status.deviceID
        inode = status.inode
    }
}
