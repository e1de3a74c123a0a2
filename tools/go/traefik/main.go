// Loads a file of Traefik's dynamic configuration as its file provider does.
package main

import (
	"fmt"
	"os"

	"github.com/traefik/paerser/file"
	"github.com/traefik/traefik/v3/pkg/config/dynamic"
)

func main() {
	var configuration dynamic.Configuration
	if err := file.Decode(os.Args[1], &configuration); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
