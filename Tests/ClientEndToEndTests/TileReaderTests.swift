import Foundation
import TestSupport
import Testing

/// Tiles are what C2SP tlog-tiles says: another program, over nothing but SHA-256, comes to the
/// same root from the entries and finds every tile and no other.
@Suite struct TileReaderTests {
    private static let program = #"""
        import hashlib, json, os, sys
        def sha(b): return hashlib.sha256(b).digest()
        def mth(h):
            if len(h) == 1: return h[0]
            k = 1
            while k * 2 < len(h): k *= 2
            return sha(b"\x01" + mth(h[:k]) + mth(h[k:]))
        def path(n):
            p = "%03d" % (n % 1000)
            while n >= 1000:
                n //= 1000
                p = "x%03d/" % (n % 1000) + p
            return p
        head = json.load(open("out/export.json"))
        size = head["size"]
        leaves, seen, n = [], set(), 0
        while len(leaves) < size:
            width = min(256, size - len(leaves))
            name = "tile/entries/" + path(n) + ("" if width == 256 else ".p/%d" % width)
            seen.add(name)
            data = open("out/" + name, "rb").read()
            for _ in range(width):
                count = int.from_bytes(data[:2], "big")
                leaves.append(sha(b"\x00" + data[2:2 + count]))
                data = data[2 + count:]
            assert not data
            n += 1
        assert mth(leaves).hex() == head["root"]
        level, hashes = 0, leaves
        while hashes:
            for n in range(0, len(hashes), 256):
                part = hashes[n:n + 256]
                name = "tile/%d/" % level + path(n // 256)
                if len(part) < 256: name += ".p/%d" % len(part)
                seen.add(name)
                assert open("out/" + name, "rb").read() == b"".join(part), name
            full = len(hashes) // 256
            hashes = [mth(hashes[256 * i:256 * i + 256]) for i in range(full)]
            level += 1
        files = {
            os.path.relpath(os.path.join(d, f), "out")
            for d, _, fs in os.walk("out") for f in fs
        }
        assert files == seen | {"export.json"}, files ^ seen
        print("same", size, level)
        """#

    @Test func `another program comes to the same root and tiles`() throws {
        let ledger = try LedgerProcess()
        let script = "cat > tiles.py <<'END'\n\(Self.program)\nEND\npython3 tiles.py"
        _ = try ledger.shell(
            """
            ledger init > /dev/null
            ledger simulate bulk --drives 1 --fixes 70000 | ledger append > /dev/null
            ledger export --as tiles out > /dev/null
            """
        )
        #expect(try ledger.shell(script).lines == ["same 70004 3"])
    }
}
