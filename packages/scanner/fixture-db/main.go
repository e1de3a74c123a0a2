// Command fixture-db writes the vulnerability databases of the tests: `go run . [directory]`, by
// default ./db, and a second one at <directory>-earlier without the advisories marked `isLater`.
// A benchmark gives a larger file of advisories as the second argument.
// The format is that of trivy-db version 2 (see README.md); every advisory is made up.
package main

import (
	_ "embed"
	"encoding/json"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

//go:embed advisories.json
var source []byte

type fixture struct {
	DataSources     map[string]json.RawMessage `json:"dataSources"`
	Advisories      []advisory                 `json:"advisories"`
	Vulnerabilities map[string]json.RawMessage `json:"vulnerabilities"`
}

type advisory struct {
	Bucket   string          `json:"bucket"`
	Package  string          `json:"package"`
	ID       string          `json:"id"`
	Advisory json.RawMessage `json:"advisory"`
	IsLater  bool            `json:"isLater"`
}

func main() {
	dir := "db"
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	fillWith := fill
	if len(os.Args) > 2 {
		file, err := os.ReadFile(os.Args[2])
		if err != nil {
			log.Fatal(err)
		}
		source, fillWith = file, fillAtOnce
	}
	var data fixture
	if err := json.Unmarshal(source, &data); err != nil {
		log.Fatal(err)
	}
	if err := write(dir, data, fillWith); err != nil {
		log.Fatal(err)
	}
	data.Advisories = slices.DeleteFunc(data.Advisories, func(a advisory) bool { return a.IsLater })
	if err := write(dir+"-earlier", data, fillWith); err != nil {
		log.Fatal(err)
	}
}

func write(dir string, data fixture, fill func(*bolt.DB, fixture) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, "trivy.db")
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	// The page size is fixed so that the committed file is the same on every machine.
	db, err := bolt.Open(path, 0o644, &bolt.Options{PageSize: 4096, NoSync: true, Timeout: time.Second})
	if err != nil {
		return err
	}
	if err := fill(db, data); err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	return writeMetadata(filepath.Join(dir, "metadata.json"))
}

func fill(db *bolt.DB, data fixture) error {
	if err := putAll(db, "data-source", data.DataSources); err != nil {
		return err
	}
	for _, a := range data.Advisories {
		if err := put(db, []string{a.Bucket, a.Package}, a.ID, a.Advisory); err != nil {
			return err
		}
	}
	return putAll(db, "vulnerability", data.Vulnerabilities)
}

// In one transaction: far faster, in random order.
func fillAtOnce(db *bolt.DB, data fixture) error {
	return db.Update(func(tx *bolt.Tx) error {
		for _, a := range data.Advisories {
			if err := putIn(tx, []string{a.Bucket, a.Package}, a.ID, a.Advisory); err != nil {
				return err
			}
		}
		for bucket, values := range map[string]map[string]json.RawMessage{
			"data-source": data.DataSources, "vulnerability": data.Vulnerabilities,
		} {
			for key, value := range values {
				if err := putIn(tx, []string{bucket}, key, value); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Keys are sorted because pages are filled in the order of the writes: the file must not change
// from run to run.
func putAll(db *bolt.DB, bucket string, values map[string]json.RawMessage) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := put(db, []string{bucket}, key, values[key]); err != nil {
			return err
		}
	}
	return nil
}

type parent interface {
	CreateBucketIfNotExists(name []byte) (*bolt.Bucket, error)
}

// Each value gets its own transaction: bbolt writes the buckets of a larger one in random order.
func put(db *bolt.DB, buckets []string, key string, value json.RawMessage) error {
	return db.Update(func(tx *bolt.Tx) error { return putIn(tx, buckets, key, value) })
}

func putIn(tx *bolt.Tx, buckets []string, key string, value json.RawMessage) error {
	var at parent = tx
	var last *bolt.Bucket
	for _, name := range buckets {
		bucket, err := at.CreateBucketIfNotExists([]byte(name))
		if err != nil {
			return err
		}
		at, last = bucket, bucket
	}
	compact, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return last.Put([]byte(key), compact)
}

// The dates are fixed; `serveVulnerabilityDb` of @portcullis/testing writes other dates where a
// test needs them.
func writeMetadata(path string) error {
	text, err := json.Marshal(map[string]any{
		"Version":      2,
		"UpdatedAt":    "2099-01-01T00:00:00Z",
		"NextUpdate":   "2099-12-31T00:00:00Z",
		"DownloadedAt": "0001-01-01T00:00:00Z",
	})
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
