internal import CZstd

/// Frames of the zstd format (RFC 8878), by libzstd.
enum Zstd {
    /// Compresses bytes into frames, one after the other.
    ///
    /// A class because it owns memory of libzstd.
    // @safe because the context never leaves and lives as long as the object.
    @safe final class Encoder {
        /// Level 15 makes real fixes 1 % shorter and takes seven times as long (Proposals, 0004).
        private static let level: Int32 = 6

        private let context: OpaquePointer

        /// Allocates the memory that all frames are made in.
        init() {
            // The context is this value's own, and freed with it.
            guard let context = unsafe ZSTD_createCCtx() else {
                preconditionFailure("there is no memory for a zstd context")
            }
            unsafe self.context = context
            for (parameter, value) in [
                (ZSTD_c_compressionLevel, Self.level), (ZSTD_c_checksumFlag, 1),
            ] {
                // The context is this encoder's own.
                let code = unsafe ZSTD_CCtx_setParameter(context, parameter, value)
                precondition(ZSTD_isError(code) == 0, "libzstd knows the level and the checksum")
            }
        }

        // The context never left.
        deinit { unsafe ZSTD_freeCCtx(context) }

        /// Returns a frame with a checksum of `content`.
        ///
        /// The corresponding C function is `ZSTD_compress2`.
        func frame(of content: Span<UInt8>) -> [UInt8] {
            let room = ZSTD_compressBound(content.count)
            // libzstd gets both pointers for the length of the call, and says how much it wrote.
            return unsafe [UInt8](unsafeUninitializedCapacity: room) { frame, count in
                count = unsafe content.withUnsafeBytes { content in
                    unsafe ZSTD_compress2(
                        context,
                        frame.baseAddress,
                        frame.count,
                        content.baseAddress,
                        content.count
                    )
                }
                precondition(ZSTD_isError(count) == 0, "a frame of the bound's size has room")
            }
        }
    }

    /// Decompresses frames, one after the other, in memory of a fixed size.
    // @safe because the context never leaves and lives as long as the value.
    @safe struct Decoder: ~Copyable {
        /// The first bytes of every frame.
        ///
        /// Frames of versions before 1.0 start otherwise; some builds of libzstd still read them,
        /// with decoders that are no longer maintained.
        private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

        /// Bit of the byte after the magic number that says that a checksum follows the content.
        private static let checksumFlag: UInt8 = 0b100

        private let context: OpaquePointer

        /// Allocates the memory that all frames are decompressed in.
        init() {
            // The context is this value's own, and freed with it.
            guard let context = unsafe ZSTD_createDCtx() else {
                preconditionFailure("there is no memory for a zstd context")
            }
            unsafe self.context = context
        }

        // The context never left.
        deinit { unsafe ZSTD_freeDCtx(context) }

        /// Decompresses one frame that has a checksum and says the size of its content.
        ///
        /// The corresponding C function is `ZSTD_decompressDCtx`.
        ///
        /// - Parameters:
        ///   - frame: All bytes of the frame, and no more.
        ///   - room: Where the content goes; nothing is written beyond it, whatever the frame says.
        /// - Returns: How many bytes the content has; `nil` if it does not fit, or this is no such
        ///   frame, or the checksum is wrong.
        borrowing func decode(_ frame: Span<UInt8>, into room: inout [UInt8]) -> Int? {
            let start = Self.magic.count
            guard frame.count > start,
                frame.extracting(first: start).hasSameBytes(as: Self.magic.span),
                frame[start] & Self.checksumFlag != 0
            else { return nil }
            // libzstd gets both pointers for the length of the calls, and writes plain bytes into
            // the room.
            return unsafe frame.withUnsafeBytes { frame in
                // libzstd would go on with a frame that follows, and pass over one to be skipped.
                guard
                    unsafe ZSTD_findFrameCompressedSize(frame.baseAddress, frame.count)
                        == frame.count
                else { return nil }
                // If the frame does not give its size, the value is more than any room.
                let size = unsafe ZSTD_getFrameContentSize(frame.baseAddress, frame.count)
                guard size <= UInt64(room.count) else { return nil }
                return unsafe room.withUnsafeMutableBytes { room in
                    let count = unsafe ZSTD_decompressDCtx(
                        context,
                        room.baseAddress,
                        room.count,
                        frame.baseAddress,
                        frame.count
                    )
                    return count == Int(size) ? count : nil
                }
            }
        }
    }
}
