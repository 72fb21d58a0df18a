internal import CCrypto

/// Ed25519 signatures (RFC 8032); the work is done by libcrypto.
///
/// Verification refuses an R that is not canonical and computes without the cofactor, as most
/// implementations do.
package enum Ed25519 {
    /// The number of bytes of a public key.
    package static let publicKeyByteCount = 32

    /// The number of bytes of a signature.
    package static let signatureByteCount = 64

    /// Returns the public key that belongs to a seed.
    package static func publicKey(of seed: SigningSeed) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: publicKeyByteCount)
        var count = publicKeyByteCount
        // libcrypto writes at most `count` bytes, and keeps no pointer.
        unsafe withPrivateKey(seed) { key in
            let status = unsafe EVP_PKEY_get_raw_public_key(key, &publicKey, &count)
            precondition(status == 1 && count == publicKeyByteCount, "a seed has a public key")
        }
        return publicKey
    }

    /// Returns the signature of a message; the same message always gets the same one.
    package static func signature(of message: [UInt8], by seed: SigningSeed) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: signatureByteCount)
        var count = signatureByteCount
        // libcrypto reads the message, writes at most `count` bytes, and keeps no pointer.
        unsafe withPrivateKey(seed) { key in
            unsafe withContext { context in
                let status =
                    unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1
                    ? unsafe EVP_DigestSign(context, &signature, &count, message, message.count)
                    : 0
                precondition(status == 1 && count == signatureByteCount, "a seed can sign")
            }
        }
        return signature
    }

    /// Returns whether `signature` is that of `message` by the owner of `publicKey`.
    package static func isValid(
        _ signature: [UInt8],
        of message: [UInt8],
        by publicKey: [UInt8]
    ) -> Bool {
        guard signature.count == signatureByteCount, publicKey.count == publicKeyByteCount else {
            return false
        }
        // libcrypto copies the key's 32 bytes; what it makes is freed below.
        let key = unsafe EVP_PKEY_new_raw_public_key(
            EVP_PKEY_ED25519,
            nil,
            publicKey,
            publicKeyByteCount
        )
        guard let key = unsafe key else { return false }
        // It was made above, and nothing else refers to it.
        defer { unsafe EVP_PKEY_free(key) }
        // libcrypto reads the signature and the message, and keeps no pointer.
        return unsafe withContext { context in
            unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
                && EVP_DigestVerify(
                    context,
                    signature,
                    signatureByteCount,
                    message,
                    message.count
                ) == 1
        }
    }

    private static func withPrivateKey<Result>(
        _ seed: SigningSeed,
        _ body: (OpaquePointer) -> Result
    ) -> Result {
        // libcrypto copies the seed's 32 bytes; what it makes is freed, and wiped, at the end.
        let key = unsafe EVP_PKEY_new_raw_private_key(
            EVP_PKEY_ED25519,
            nil,
            seed.bytes,
            SigningSeed.byteCount
        )
        guard let key = unsafe key else { preconditionFailure("libcrypto has no Ed25519") }
        // It was made above, and `body` keeps no reference to it.
        defer { unsafe EVP_PKEY_free(key) }
        // The key lives until `body` is over.
        return unsafe body(key)
    }

    private static func withContext<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        // Freed at the end; `body` keeps no reference to it.
        guard let context = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("libcrypto has no memory to give")
        }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe body(context)
    }
}
