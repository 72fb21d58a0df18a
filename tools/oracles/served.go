// Reads a log that `ledger serve` serves, as a client of golang.org/x/mod/sumdb does, checks every
// entry and that the log has only grown, has the head cosigned, and expects that it is noticed if a
// byte of what was served is another one.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

var (
	address  = flag.String("address", "", "where the server is")
	token    = flag.String("token", "", "a token of the scope audit")
	owner    = flag.String("owner", "", "the verifier key of the ledger")
	witness  = flag.String("witness", "", "the verifier key of the witness")
	seenFile = flag.String("seen", "", "a file for the heads that were seen")
	erased   = flag.Int("erased", 0, "how many entries are tombstones")
	flips    = flag.Int("flips", 4, "how many bytes of each answer are changed in turn")
	seed     = flag.Int64("seed", 1, "chooses them")
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// served is what the server answers at each path below /log/; with what is in it, no server is
// asked.
type served map[string][]byte

func (s served) get(path string) ([]byte, error) {
	if data, ok := s[path]; ok {
		return data, nil
	}
	request, err := http.NewRequest("GET", *address+"/log/"+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+*token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	s[path] = data
	return data, nil
}

func (s served) Height() int { return 8 }

func (s served) SaveTiles(tiles []tlog.Tile, data [][]byte) {}

func (s served) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		// C2SP tlog-tiles leaves the height out of the path.
		bytes, err := s.get("tile/" + strings.TrimPrefix(tile.Path(), "tile/8/"))
		if err != nil {
			return nil, err
		}
		data[i] = bytes
	}
	return data, nil
}

// head is a signed head with its note.
type head struct {
	tree tlog.Tree
	note []byte
}

func open(text []byte) (head, error) {
	verifier, err := note.NewVerifier(*owner)
	if err != nil {
		return head{}, err
	}
	opened, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return head{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		return head{}, errors.New("the head is not one of the log")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return head{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return head{}, err
	}
	return head{tlog.Tree{N: size, Hash: root}, text}, nil
}

// entries calls take with every entry of a log.
func (s served) entries(size int64, take func(index int64, entry []byte) error) error {
	for n := int64(0); n*256 < size; n++ {
		width := 256
		if rest := size - n*256; rest < 256 {
			width = int(rest)
		}
		tile := tlog.Tile{H: 8, L: 0, N: n, W: width}
		data, err := s.get("tile/entries/" + strings.TrimPrefix(tile.Path(), "tile/8/0/"))
		if err != nil {
			return err
		}
		for i := 0; i < width; i++ {
			if len(data) < 2 || len(data)-2 < int(binary.BigEndian.Uint16(data)) {
				return errors.New("a bundle is too short")
			}
			end := 2 + int(binary.BigEndian.Uint16(data))
			if err := take(n*256+int64(i), data[2:end]); err != nil {
				return err
			}
			data = data[end:]
		}
		if len(data) > 0 {
			return errors.New("a bundle is too long")
		}
	}
	return nil
}

// check reads everything, and returns the head and the hashes under it; with proofs, each record is
// also proven by itself, which takes as many hashes again.
func (s served) check(older []head, proofs bool) (head, tlog.HashReader, error) {
	text, err := s.get("checkpoint")
	if err != nil {
		return head{}, nil, err
	}
	newest, err := open(text)
	if err != nil {
		return head{}, nil, err
	}
	tree := newest.tree
	hashes := tlog.TileHashReader(tree, s)
	indexes := make([]int64, tree.N)
	for i := range indexes {
		indexes[i] = tlog.StoredHashIndex(0, int64(i))
	}
	leaves, err := hashes.ReadHashes(indexes)
	if err != nil {
		return head{}, nil, err
	}
	tombstones := 0
	err = s.entries(tree.N, func(index int64, entry []byte) error {
		leaf := tlog.RecordHash(entry)
		if leaf != leaves[index] {
			// A tombstone ends with the hash of the entry that stood there.
			isTombstone := len(entry) == 44 && entry[0] == 44 && entry[1] == 0
			if !isTombstone || !bytes.Equal(entry[12:], leaves[index][:]) {
				return fmt.Errorf("entry %d is not the one that its tile says", index)
			}
			tombstones++
		}
		if !proofs {
			return nil
		}
		proof, err := tlog.ProveRecord(tree.N, index, hashes)
		if err != nil {
			return err
		}
		return tlog.CheckRecord(proof, tree.N, tree.Hash, index, leaves[index])
	})
	if err != nil {
		return head{}, nil, err
	}
	if tombstones != *erased {
		return head{}, nil, fmt.Errorf("%d entries are tombstones", tombstones)
	}
	for _, old := range older {
		proof, err := tlog.ProveTree(tree.N, old.tree.N, hashes)
		if err != nil {
			return head{}, nil, err
		}
		err = tlog.CheckTree(proof, tree.N, tree.Hash, old.tree.N, old.tree.Hash)
		if err != nil {
			return head{}, nil, err
		}
	}
	return newest, hashes, nil
}

// cosign posts a head to the witness and returns the status, the media type and the body.
func cosign(old int64, proof tlog.TreeProof, text []byte) (int, string, string) {
	body := fmt.Sprintf("old %d\n", old)
	for _, hash := range proof {
		body += hash.String() + "\n"
	}
	response, err := http.Post(
		*address+"/witness/add-checkpoint",
		"text/plain",
		strings.NewReader(body+"\n"+string(text)),
	)
	must(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	must(err)
	return response.StatusCode, response.Header.Get("Content-Type"), string(answer)
}

// checkCosignature checks what C2SP tlog-cosignature says of a line, without sumdb/note, which
// knows no cosignatures.
func checkCosignature(line string, text []byte) error {
	parts := strings.SplitN(*witness, "+", 3)
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 33 || key[0] != 4 {
		return errors.New("the witness's key is none")
	}
	id := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	if hex.EncodeToString(id[:4]) != parts[1] {
		return errors.New("the witness's key has another number")
	}
	if !strings.HasPrefix(line, "— "+parts[0]+" ") || !strings.HasSuffix(line, "\n") {
		return fmt.Errorf("no line of the witness: %q", line)
	}
	encoded := strings.TrimSuffix(strings.TrimPrefix(line, "— "+parts[0]+" "), "\n")
	blob, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(blob) != 4+8+64 || !bytes.Equal(blob[:4], id[:4]) {
		return fmt.Errorf("no cosignature: %q", line)
	}
	signed := text[:bytes.LastIndex(text, []byte("\n\n"))+1]
	message := fmt.Sprintf(
		"cosignature/v1\ntime %d\n%s",
		binary.BigEndian.Uint64(blob[4:12]),
		signed,
	)
	if !ed25519.Verify(key[1:], []byte(message), blob[12:]) {
		return errors.New("the cosignature is wrong")
	}
	return nil
}

// expectNoticed changes a few bytes of each answer in turn, and expects that the check fails.
func (s served) expectNoticed(older []head) int {
	random := rand.New(rand.NewSource(*seed))
	count := 0
	for path, data := range s {
		end := len(data)
		if path == "checkpoint" {
			// The last letters of base64 have bits that mean nothing.
			end -= 4
		}
		for i := 0; i < *flips; i++ {
			changed := append([]byte{}, data...)
			offset := random.Intn(end)
			changed[offset] ^= byte(1) << random.Intn(8)
			others := served{}
			for path, data := range s {
				others[path] = data
			}
			others[path] = changed
			if _, _, err := others.check(older, false); err == nil {
				log.Fatalf("%s: byte %d was changed, and nothing was noticed", path, offset)
			}
			count++
		}
	}
	return count
}

func main() {
	flag.Parse()
	var notes []string
	if text, err := os.ReadFile(*seenFile); err == nil {
		must(json.Unmarshal(text, &notes))
	}
	var older []head
	for _, text := range notes {
		old, err := open([]byte(text))
		must(err)
		older = append(older, old)
	}
	response, err := http.Get(*address + "/log/checkpoint")
	must(err)
	response.Body.Close()
	if response.StatusCode != 404 {
		log.Fatalf("without a token: %s", response.Status)
	}

	answers := served{}
	newest, hashes, err := answers.check(older, true)
	must(err)
	changes := 0
	if *erased == 0 {
		changes = answers.expectNoticed(older)
	}

	var old int64
	var proof tlog.TreeProof
	if len(older) > 0 {
		old = older[len(older)-1].tree.N
		proof, err = tlog.ProveTree(newest.tree.N, old, hashes)
		must(err)
	}
	status, mediaType, answer := cosign(newest.tree.N+1, nil, newest.note)
	if status != 400 {
		log.Fatalf("an older size that is larger than the newer: %d %s", status, answer)
	}
	status, mediaType, answer = cosign(old, proof, newest.note)
	if status != 200 {
		log.Fatalf("the head was not cosigned: %d %s", status, answer)
	}
	must(checkCosignature(answer, newest.note))
	if checkCosignature(answer, append([]byte("x"), newest.note...)) == nil {
		log.Fatal("a cosignature of another head is accepted")
	}
	status, mediaType, answer = cosign(0, nil, newest.note)
	if status != 409 || mediaType != "text/x.tlog.size" ||
		answer != fmt.Sprintf("%d\n", newest.tree.N) {
		log.Fatalf("the size that is known: %d %s %q", status, mediaType, answer)
	}

	text, err := json.Marshal(append(notes, string(newest.note)))
	must(err)
	must(os.WriteFile(*seenFile, text, 0o600))
	fmt.Printf(
		"golang.org/x/mod: %d entries (%d tombstones) are accepted over HTTP, after %d older heads; "+
			"%d changed bytes were noticed\n",
		newest.tree.N, *erased, len(older), changes,
	)
}
