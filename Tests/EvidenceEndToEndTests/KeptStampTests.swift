import Foundation
import TestSupport
import Testing

/// Stamps and cosignatures outlive the disk on which they were kept, and are named where they go.
@Suite(.enabled(if: StampAuthority.isPresent, StampAuthority.missing)) struct KeptStampTests {
    /// Makes a ledger whose last head is stamped by authorities, and then cosigned; the certificate
    /// of the first one is in `authority.pem`, those of all in `all.pem`.
    private static func book(stampedBy authorities: [StampAuthority]) throws -> LedgerProcess {
        let book = try LedgerProcess()
        let session = """
            set -e
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate home-to-office | ledger append > /dev/null
            ledger key new > /dev/null
            ledger head --sign > head.note
            ledger key show | sed -n 's/^Verifier key *//p' > owner.vkey
            """
        let outcome = try book.shell(session)
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        for authority in authorities { try authority.stampLastHead(of: book) }
        let place = book.directory.url
        try Data(authorities[0].root).write(to: place.appendingPathComponent("authority.pem"))
        try Data(authorities.flatMap(\.root)).write(to: place.appendingPathComponent("all.pem"))
        let cosigning = """
            set -e
            ledger witness init accountant.example > /dev/null
            ledger witness cosign head.note --key "$(cat owner.vkey)" > cosigned.note
            ledger head --keep cosigned.note > before
            ledger witness show | sed -n 's/^Verifier key *//p' > witness.vkey
            """
        let cosigned = try book.shell(cosigning)
        try #require(cosigned.exitCode == 0, "\(cosigned.errors)")
        return book
    }

    @Test func `a stamp and a cosignature come back from a backup when the disk is dead`() throws {
        let book = try Self.book(stampedBy: [StampAuthority()])
        let session = """
            keys="--key $(cat owner.vkey) --witness $(cat witness.vkey)"
            ledger backup book.backup --rehearse > /dev/null 2> said
            grep -c '1 signed head, 1 stamp' said
            rm -r book .local
            ledger restore-backup book.backup --format json | grep -o '"heads":1,"stamps":1'
            ledger head --signed | cmp - before && echo same
            ledger verify --stamps authority.pem $keys > /dev/null; echo $?
            ledger rescue book.backup -o saved > /dev/null
            ledger verify saved --stamps authority.pem $keys > /dev/null; echo $?
            """
        let outcome = try book.shell(session)
        let expected = ["1", #""heads":1,"stamps":1"#, "same", "0", "0"]
        #expect(outcome.lines == expected, "\(outcome.errors)")
    }

    @Test func `heads and stamps go with the backup that they belong to`() throws {
        let book = try Self.book(stampedBy: [StampAuthority()])
        let session = """
            mkdir b
            ledger backup b > /dev/null
            name=$(ls b | grep 'backup$')
            old=${name%????????T??????Z.backup}20240101T000000Z.backup
            mv b/$name b/$old; mv b/$name.heads b/$old.heads
            ledger backup b --keep 1 --rehearse > /dev/null 2>&1; echo $?
            ls b | grep -c 20240101
            ls b | grep -c 'backup.heads$'
            ledger backup b/named > /dev/null; ledger backup b/named --replace > /dev/null; echo $?
            mkdir b/other.heads; touch b/other.heads/letter
            ledger backup b/other --replace > /dev/null 2>&1; echo $?
            ls b/other.heads; ls b | grep -c 'other$'
            """
        #expect(
            try book.shell(session).lines == ["0", "0", "1", "0", "65", "letter", "0"]
        )
    }

    @Test(arguments: [("en", "stamped by Authority"), ("de", "gestempelt von Authority")])
    func `a bundle names authority and time of its stamp, and is verified`(
        language: String,
        words: String
    ) throws {
        let book = try Self.book(stampedBy: [StampAuthority()])
        let session = """
            ledger bundle --year 2025 --language \(language) -o audit > /dev/null
            grep -c '^ *20.*Z by Authority$' audit/README.txt
            grep -c '\(words)' audit/prints/index.html
            ledger verify audit --key "$(cat owner.vkey)" --stamps authority.pem > /dev/null
            echo $?
            """
        let outcome = try book.shell(session)
        #expect(outcome.lines == ["1", "1", "0"], "\(outcome.errors)")
    }

    @Test func `a stamp over a made-up head is none of a bundle's`() throws {
        let authority = try StampAuthority()
        let book = try Self.book(stampedBy: [authority])
        try authority.stampLastHead(of: book, withRoot: String(repeating: "A", count: 43) + "=")
        let session = """
            ls book/heads | grep -c 'tsr$'
            ledger bundle --year 2025 -o audit > /dev/null
            ls audit/stamps | wc -l
            grep -c '^ *20.*Z by Authority$' audit/README.txt
            grep -c 'stamped by Authority' audit/prints/index.html
            ledger verify audit --key owner.vkey --stamps authority.pem > /dev/null; echo $?
            """
        let outcome = try book.shell(session)
        #expect(outcome.lines == ["2", "2", "1", "1", "0"], "\(outcome.errors)")
    }

    @Test func `a stamp that somebody put beside those of a bundle is named, and changes nothing`()
        throws
    {
        let authority = try StampAuthority()
        let book = try Self.book(stampedBy: [authority])
        let made = try book.shell("ledger bundle --year 2025 -o audit > /dev/null")
        try #require(made.exitCode == 0, "\(made.errors)")
        try authority.stampLastHead(of: book)
        let session = """
            cp book/heads/*.tsr book/heads/*.stamped audit/stamps
            ledger verify audit --key owner.vkey --stamps authority.pem > said; echo $?
            grep -c 'what stamps/[0-9a-f.]*stamped, stamps/[0-9a-f.]*tsr says' said
            grep -c 'README.txt, line' said
            """
        let outcome = try book.shell(session)
        #expect(outcome.lines == ["2", "1", "0"], "\(outcome.text)\(outcome.errors)")
    }

    @Test
    func `of two authorities the certificates of each are needed, and their file is read first`()
        throws
    {
        let book = try Self.book(stampedBy: [StampAuthority(), StampAuthority()])
        let session = """
            ledger verify --stamps all.pem > /dev/null; echo $?
            ledger verify --stamps authority.pem > said; echo $?
            grep -c 'no certificate of --stamps vouches for it' said
            ledger bundle --year 2025 -o audit > /dev/null
            ledger verify audit --key "$(cat owner.vkey)" --stamps authority.pem > /dev/null
            echo $?
            for subject in book audit; do
                for file in owner.vkey nowhere.pem; do
                    ledger verify $subject --stamps $file > said 2>&1; echo $?
                    grep -c "$file" said
                done
            done
            """
        let outcome = try book.shell(session)
        let refused = Array(repeating: ["65", "1"], count: 4).flatMap(\.self)
        #expect(outcome.lines == ["0", "2", "1", "2"] + refused, "\(outcome.errors)")
    }
}
