// Reads exports in tiles as a client of golang.org/x/mod/sumdb/tlog does, and checks every entry.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// export is a directory that `ledger export --as tiles` wrote; its tiles are 8 levels high.
type export struct {
	folder string
	tree   tlog.Tree
	read   map[string]bool
}

func (e export) Height() int { return 8 }

func (e export) SaveTiles(tiles []tlog.Tile, data [][]byte) {}

func (e export) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		// C2SP tlog-tiles leaves the height out of the path.
		path := "tile/" + strings.TrimPrefix(tile.Path(), "tile/8/")
		bytes, err := os.ReadFile(filepath.Join(e.folder, path))
		if err != nil {
			return nil, err
		}
		e.read[path] = true
		data[i] = bytes
	}
	return data, nil
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func open(folder string) export {
	var header struct {
		Size int64
		Root string
	}
	text, err := os.ReadFile(filepath.Join(folder, "export.json"))
	must(err)
	must(json.Unmarshal(text, &header))
	root, err := hex.DecodeString(header.Root)
	must(err)
	e := export{folder, tlog.Tree{N: header.Size}, map[string]bool{}}
	copy(e.tree.Hash[:], root)
	return e
}

// entries returns the leaf hashes of the bundles.
func (e export) entries() []tlog.Hash {
	var leaves []tlog.Hash
	for n := int64(0); n*256 < e.tree.N; n++ {
		width := 256
		if rest := e.tree.N - n*256; rest < 256 {
			width = int(rest)
		}
		tile := tlog.Tile{H: 8, L: 0, N: n, W: width}
		path := "tile/entries/" + strings.TrimPrefix(tile.Path(), "tile/8/0/")
		data, err := os.ReadFile(filepath.Join(e.folder, path))
		must(err)
		e.read[path] = true
		reader := bytes.NewReader(data)
		for i := 0; i < width; i++ {
			var length uint16
			must(binary.Read(reader, binary.BigEndian, &length))
			entry := make([]byte, length)
			_, err := reader.Read(entry)
			must(err)
			leaves = append(leaves, tlog.RecordHash(entry))
		}
		if reader.Len() != 0 {
			log.Fatalf("%s: more than %d entries", path, width)
		}
	}
	return leaves
}

// check reads every leaf through the tiles, which the reader holds against the root.
func (e export) check() tlog.HashReader {
	hashes := tlog.TileHashReader(e.tree, e)
	indexes := make([]int64, e.tree.N)
	for i := range indexes {
		indexes[i] = tlog.StoredHashIndex(0, int64(i))
	}
	leaves, err := hashes.ReadHashes(indexes)
	must(err)
	for i, leaf := range e.entries() {
		if leaf != leaves[i] {
			log.Fatalf("%s: entry %d is not the one that its tile says", e.folder, i)
		}
	}
	root, err := tlog.TreeHash(e.tree.N, hashes)
	must(err)
	if root != e.tree.Hash {
		log.Fatalf("%s: another root", e.folder)
	}
	for _, n := range []int64{0, e.tree.N / 2, e.tree.N - 1} {
		proof, err := tlog.ProveRecord(e.tree.N, n, hashes)
		must(err)
		must(tlog.CheckRecord(proof, e.tree.N, e.tree.Hash, n, leaves[n]))
	}
	must(filepath.Walk(e.folder, func(path string, info os.FileInfo, err error) error {
		must(err)
		name, err := filepath.Rel(e.folder, path)
		must(err)
		if !info.IsDir() && name != "export.json" && !e.read[name] {
			log.Fatalf("%s: nobody asks for %s", e.folder, name)
		}
		return nil
	}))
	return hashes
}

func main() {
	folders, err := os.ReadDir(os.Args[1])
	must(err)
	var sizes []int
	for _, folder := range folders {
		size, err := strconv.Atoi(folder.Name())
		must(err)
		sizes = append(sizes, size)
	}
	sort.Ints(sizes)
	var older []tlog.Tree
	for _, size := range sizes {
		e := open(filepath.Join(os.Args[1], strconv.Itoa(size)))
		if e.tree.N != int64(size) {
			log.Fatalf("%s: another size", e.folder)
		}
		hashes := e.check()
		for _, tree := range older {
			proof, err := tlog.ProveTree(e.tree.N, tree.N, hashes)
			must(err)
			must(tlog.CheckTree(proof, e.tree.N, e.tree.Hash, tree.N, tree.Hash))
		}
		older = append(older, e.tree)
	}
	fmt.Printf("golang.org/x/mod: exports in tiles of %v entries are accepted\n", sizes)
}
