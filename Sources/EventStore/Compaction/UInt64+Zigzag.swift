extension UInt64 {
    /// The signed number that this one stands for.
    @inline(__always)
    var unzigzagged: Int64 {
        Int64(bitPattern: self >> 1 ^ (0 &- self & 1))
    }
}

extension Int64 {
    /// This number as an unsigned one, small if its magnitude is.
    @inline(__always)
    var zigzagged: UInt64 {
        UInt64(bitPattern: self << 1 ^ self >> 63)
    }
}
