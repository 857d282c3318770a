package decoder_test

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// mayImport is DESIGN's table of the packages of this module: which others each may import, what those may import among
// them included. Packages are named without binlens/decoder/; "." is the decoder itself.
var mayImport = map[string]string{
	"wire":             "",
	"gtid":             "",
	"charset":          "",
	"inflate":          "",
	"value":            "wire",
	"jsonb":            "wire value", // the opaque values of a document are column values
	".":                "wire value jsonb gtid inflate",
	"frame":            ".",
	"index":            "frame .",
	"schema":           "frame .",
	"query":            "index schema . value jsonb charset gtid",
	"render":           "index schema . value jsonb charset gtid",
	"render/sql":       "schema . value jsonb charset",
	"render/text":      "render . value jsonb charset gtid",
	"render/csv":       ". value jsonb charset",
	"render/share":     "render . value",
	"session":          "query render/sql render/text render/csv render/share render index schema frame . value jsonb wire gtid charset inflate",
	"cmd/binlens":      "session",
	"wasm":             "session",
	"internal/logtest": "",

	"internal/logtest/biglog": "internal/logtest",
}

// bare are the packages that format nothing and know no system: what they may not import directly.
var (
	bare      = []string{"wire", "value", "jsonb", "gtid", ".", "frame", "index", "charset"}
	forbidden = []string{"fmt", "log", "reflect", "os", "net", "syscall/js"}
)

// within lists what a package may import, with what comes with it.
func within(name string) (all []string) {
	for _, n := range strings.Fields(mayImport[name]) {
		all = append(append(all, n), within(n)...)
	}
	return all
}

func shortName(path string) string {
	switch {
	case path == "binlens/decoder":
		return "."
	case strings.HasPrefix(path, "binlens/decoder/"):
		return strings.TrimPrefix(path, "binlens/decoder/")
	}
	return strings.TrimPrefix(path, "binlens/")
}

// imports reads what each package of the module imports, tests left out, for one system.
func imports(t *testing.T, goos, goarch string) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "binlens/decoder/...", "binlens/wasm")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	list := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		list[shortName(f[0])] = f[1:]
	}
	return list
}

// Imports point one way.
func TestImports(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("no processes here; the native run reads the imports of js too")
	}
	for _, target := range [][2]string{{runtime.GOOS, runtime.GOARCH}, {"js", "wasm"}} {
		list := imports(t, target[0], target[1])
		for _, name := range []string{"wire", "value", "gtid", "charset", ".", "frame", "index"} {
			if _, ok := list[name]; !ok {
				t.Errorf("%s: the package %s is not there", target[0], name)
			}
		}
		for name, paths := range list {
			if _, ok := mayImport[name]; !ok {
				t.Errorf("the package %s is not in the table of what may import what", name)
				continue
			}
			allowed := within(name)
			for _, path := range paths {
				switch {
				case path == "binlens/decoder" || strings.HasPrefix(path, "binlens/"):
					if n := shortName(path); !slices.Contains(allowed, n) {
						t.Errorf("%s imports %s, which is not below it", name, n)
					}
				case slices.Contains(bare, name) && slices.ContainsFunc(forbidden, func(f string) bool { return path == f || strings.HasPrefix(path, f+"/") }):
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
}
