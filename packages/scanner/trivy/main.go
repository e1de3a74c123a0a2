// Trivy, which may also stay for the next scan: most of what it takes for a small image is the
// start of its process. `trivy resident` reads orders from standard input, one JSON document each,
// and obeys them one after the other, each as a process of its arguments would: all else is
// Trivy's main function (cmd/trivy/main.go).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/viper"

	"github.com/aquasecurity/trivy/pkg/commands"
	"github.com/aquasecurity/trivy/pkg/log"
	"github.com/aquasecurity/trivy/pkg/types"
	xos "github.com/aquasecurity/trivy/pkg/x/os"

	_ "modernc.org/sqlite" // The databases of RPM and of Java archives.
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "resident" {
		stay()
	} else {
		os.Exit(once())
	}
}

func once() int {
	defer commands.Cleanup()
	return exitCode(commands.Run(commands.NotifyContext(context.Background())))
}

// exitCode says how a command ended as Trivy does, and returns its exit code.
func exitCode(err error) int {
	var exit *types.ExitError
	var user *types.UserError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &user):
		fatal("Error", user)
	default:
		fatal("Fatal error", err)
	}
	return 1
}

func fatal(message string, err error) {
	slog.Log(context.Background(), log.LevelFatal, message, log.Err(err))
}

// order is one command, its working directory and its whole environment.
type order struct {
	Dir  string            `json:"dir"`
	Args []string          `json:"args"`
	Env  map[string]string `json:"env"`
	// Mark is a line of standard error before and after the command.
	Mark string `json:"mark"`
}

// answer has the exit code, and the bytes of memory that this process has.
type answer struct {
	Code   int    `json:"code"`
	Memory uint64 `json:"memory"`
}

// stay answers on descriptor 3, first that it is ready, and ends at the end of standard input, also
// within a command: whoever started it is gone.
func stay() {
	answers := json.NewEncoder(os.NewFile(3, "answers"))
	orders := make(chan order)
	go func() {
		for input := json.NewDecoder(os.Stdin); ; {
			var next order
			if input.Decode(&next) != nil {
				os.Exit(1)
			}
			orders <- next
		}
	}()
	// The process has one temporary directory, whatever an order says later.
	temporary := xos.TempDir()
	for ended := (answer{}); answers.Encode(ended) == nil; {
		ended = answer{obey(<-orders), memory()}
		removeFiles(temporary)
	}
}

// obey runs a command between two marks on standard error.
func obey(next order) int {
	fmt.Fprintln(os.Stderr, next.Mark)
	defer fmt.Fprintln(os.Stderr, next.Mark)
	// Of a directory that is removed, nothing stays open.
	defer os.Chdir("/")
	if err := place(next); err != nil {
		fatal("Fatal error", err)
		return 1
	}
	os.Args = append([]string{"trivy"}, next.Args...)
	// It has the flags of the command.
	defer viper.Reset()
	return exitCode(commands.Run(context.Background()))
}

// place sets what a process has from its start.
func place(next order) error {
	os.Clearenv()
	for name, value := range next.Env {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return os.Chdir(next.Dir)
}

// removeFiles removes what a command left for the end of its process to remove.
func removeFiles(directory string) {
	files, _ := os.ReadDir(directory)
	for _, file := range files {
		os.RemoveAll(filepath.Join(directory, file.Name()))
	}
}

func memory() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.Sys - stats.HeapReleased
}
