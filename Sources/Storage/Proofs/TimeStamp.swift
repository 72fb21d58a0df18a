internal import CCrypto

/// A question to an authority for the time: its answer stamps a digest (RFC 3161).
package struct TimeStampRequest: Hashable, Sendable {
    /// The media type under which it is posted.
    package static let mediaType = "application/timestamp-query"

    /// The digest that is to be stamped.
    package let digest: Digest

    /// The number that the answer has to repeat, so that no older one is taken for it: eight bytes,
    /// the first between 0x40 and 0x7F.
    package let nonce: [UInt8]

    /// Asks for a stamp over bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - number: A random number.
    package init(of bytes: [UInt8], number: UInt64) {
        digest = SHA256.digest(bytes.span)
        // A number of DER has neither a sign nor leading zeros then.
        let positive = number & 0x3FFF_FFFF_FFFF_FFFF | 0x4000_0000_0000_0000
        nonce = (0..<8).map { UInt8(truncatingIfNeeded: positive >> UInt64(56 - 8 * $0)) }
    }

    /// The request in DER: version 1, SHA-256 and the digest, the nonce, and the wish for the
    /// authority's certificate.
    package var bytes: [UInt8] {
        let sha256: [UInt8] = [0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        let algorithm = Self.sequence(sha256 + [0x05, 0])
        let imprint = Self.sequence(algorithm + [0x04, 32] + digest.array)
        return Self.sequence(
            [0x02, 1, 1] + imprint + [0x02, UInt8(nonce.count)] + nonce + [0x01, 1, 0xFF]
        )
    }

    /// Returns a sequence of fewer than 128 bytes.
    private static func sequence(_ content: [UInt8]) -> [UInt8] {
        [0x30, UInt8(content.count)] + content
    }
}

/// The answer of an authority for the time (RFC 3161): when it saw a digest.
///
/// libcrypto reads and checks it.
package struct TimeStamp: Hashable, Sendable {
    /// Whether a trusted certificate vouches for a stamp that is otherwise valid.
    package enum Trust: Hashable, Sendable {
        /// A trusted certificate.
        case trusted

        /// Its certificate leads to none that is trusted; the text says how.
        case stranger(String)
    }

    /// The most bytes of an answer: its certificates are the longest part.
    package static let maximumByteCount = 1 << 18

    /// The answer as it came.
    package let bytes: [UInt8]

    /// The time that it states, in seconds since 1970.
    package let seconds: Int64

    /// The digest that it is over.
    package let digest: Digest

    /// The number that it repeats; empty if there is none.
    package let nonce: [UInt8]

    /// The number of the authority's policy, such as `1.2.3.4.1`.
    package let policy: String

    /// The name in the certificate of the key that signed it; empty if it holds none.
    package let authority: String

    /// Reads an answer, without checking who signed it.
    ///
    /// - Throws: `ProofDamage` if it is not exactly an answer with a stamp over a SHA-256.
    package init(_ bytes: [UInt8]) throws(ProofDamage) {
        guard bytes.count <= Self.maximumByteCount else {
            throw ProofDamage("a stamp has at most \(Self.maximumByteCount) bytes")
        }
        let textByteCount = Int(ledger_stampTextBytes)
        var time: Int64 = 0
        var imprint = [UInt8](repeating: 0, count: Int(ledger_stampImprintBytes))
        var nonce = [UInt8](repeating: 0, count: Int(ledger_stampNonceBytes))
        var nonceCount: Int32 = 0
        var policy = [CChar](repeating: 0, count: textByteCount)
        var authority = policy
        // libcrypto reads `bytes` and writes no more than there is room for, and keeps no pointer.
        let outcome = unsafe ledger_readStamp(
            bytes,
            bytes.count,
            &time,
            &imprint,
            &nonce,
            &nonceCount,
            &policy,
            &authority
        )
        if Int(outcome) == ledger_stampIsRefused {
            throw ProofDamage("the authority has refused to stamp it")
        }
        if Int(outcome) == ledger_stampIsOfOtherHash {
            throw ProofDamage("the stamp is not over a SHA-256, or has no time")
        }
        guard Int(outcome) == ledger_stampIsRead, let digest = Digest(imprint) else {
            throw ProofDamage("this is no answer with a stamp (RFC 3161)")
        }
        self.bytes = bytes
        seconds = time
        self.digest = digest
        self.nonce = Array(nonce.prefix(Int(nonceCount)))
        self.policy = Self.text(policy)
        self.authority = Self.text(authority)
    }

    /// Checks that this is the answer to a question.
    ///
    /// - Throws: `ProofDamage` if it is over another digest or repeats another number.
    package func requireAnswer(to request: TimeStampRequest) throws(ProofDamage) {
        guard digest == request.digest else {
            throw ProofDamage("the stamp is over something else than the head")
        }
        guard nonce == request.nonce else {
            throw ProofDamage("the stamp is the answer to another question: its nonce differs")
        }
    }

    /// Whether a text holds a certificate, as PEM.
    package static func holdsCertificate(_ text: [UInt8]) -> Bool {
        // libcrypto reads the bytes that it is given, and keeps no pointer.
        unsafe ledger_countCertificates(text, Int32(clamping: text.count)) > 0
    }

    /// Checks that it is a stamp over bytes, signed by an authority whose certificate leads to a
    /// trusted one, is meant for stamps, and was valid at the stamp's time.
    ///
    /// - Parameters:
    ///   - stamped: The bytes.
    ///   - certificates: The trusted certificates, as PEM.
    /// - Throws: `ProofDamage` with what is wrong.
    package func check(
        over stamped: [UInt8],
        trusting certificates: [UInt8]
    ) throws(ProofDamage) {
        switch try trust(over: stamped, by: certificates) {
        case .trusted: break
        case .stranger(let reason): throw ProofDamage("the stamp is not valid: \(reason)")
        }
    }

    /// Checks that it is a stamp over bytes, signed by an authority, and says whether its
    /// certificate leads to a trusted one; if so, it also has to be meant for stamps, and to have
    /// been valid at the stamp's time.
    ///
    /// - Parameters:
    ///   - stamped: The bytes.
    ///   - certificates: The trusted certificates, as PEM.
    /// - Returns: Who vouches for it.
    /// - Throws: `ProofDamage` with what is wrong.
    package func trust(
        over stamped: [UInt8],
        by certificates: [UInt8]
    ) throws(ProofDamage) -> Trust {
        guard digest == SHA256.digest(stamped.span) else {
            throw ProofDamage("the stamp is not valid: it is over something else")
        }
        let imprint = digest.array
        var reason = [CChar](repeating: 0, count: Int(ledger_stampTextBytes))
        // libcrypto reads what it is given and writes a text that has room, and keeps no pointer.
        let outcome = unsafe ledger_checkStamp(
            bytes,
            bytes.count,
            imprint,
            certificates,
            Int32(clamping: certificates.count),
            seconds,
            &reason
        )
        if Int(outcome) == ledger_stampIsOfStranger { return .stranger(Self.text(reason)) }
        guard Int(outcome) == ledger_stampIsValid else {
            throw ProofDamage("the stamp is not valid: \(Self.text(reason))")
        }
        return .trusted
    }

    /// Returns a text of C's.
    private static func text(_ characters: [CChar]) -> String {
        let bytes = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
