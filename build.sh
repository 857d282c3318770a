#!/usr/bin/env bash
# Builds, serves, tests and packs binlens. Works from any folder, as root or not, on a fresh clone.
#
#   ./build.sh serve [-addr HOST:PORT]   build the page and serve it on this machine (default 127.0.0.1:8080)
#   ./build.sh test                      every check and test; ends with the line "N passed, N failed"
#   ./build.sh bench                     speed against go-mysql and mariadb-binlog, and in Chromium, on logs that it makes first
#   ./build.sh dist                      dist/site (any web server), dist/binlens.html (one file), dist/edge (Cloudflare)
#   ./build.sh reproduce                 dist twice, from two folders and empty caches: the same bytes, or it fails
#   ./build.sh shots                     pictures of the page's states, light, dark, in forced colours, in dist/shots, to look at
#   ./build.sh clean                     remove dist/ and site/node_modules/
#
# Needs Go 1.26 and Node 20 or newer. `test` installs Debian's chromium and firefox-esr when they are missing and it may; others
# are named by CHROMIUM=/path and FIREFOX=/path. `bench` needs Debian's mariadb-server.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# Size gates, in bytes after gzip -9.
max_wasm=1250000
max_page=90000
max_parquet=14000 # of the page's script that is evaluated only for a Parquet file

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.7.0

say() { printf '\n== %s\n' "$*"; }
die() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

as_js() { GOOS=js GOARCH=wasm "$@"; }

# --- what the verbs need ---------------------------------------------------------------------------------------------

need_tools() {
  command -v go >/dev/null || die "go is missing: install Go 1.26 or newer"
  command -v npm >/dev/null || die "node and npm are missing: install Node 20 or newer"
  [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || die "node $(node --version) is too old: install Node 20 or newer"
}

# npm ci, once for each state of the lock file.
need_node_modules() {
  local lock stamp=site/node_modules/.binlens-lock
  lock=$(cat site/package.json site/package-lock.json | sha256)
  [ "$(cat "$stamp" 2>/dev/null)" = "$lock" ] && return
  say "npm ci"
  (cd site && npm ci)
  echo "$lock" >"$stamp"
}

# Installs a Debian package for its program, or says what to do.
need_program() { # need_program PROGRAM PACKAGE...
  local program=$1 sudo=""
  shift
  command -v "$program" >/dev/null && return
  if ! command -v apt-get >/dev/null; then
    echo "build.sh: $program is missing, and there is no apt-get to install it with" >&2
    return 1
  fi
  if [ "$(id -u)" != 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      echo "build.sh: $program is missing: run as root: apt-get install --no-install-recommends $*" >&2
      return 1
    fi
    sudo=sudo
  fi
  say "installing $*"
  $sudo apt-get update -q && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"
}

need_chromium() {
  [ -n "${CHROMIUM:-}" ] || need_program chromium chromium fonts-dejavu-core
}

need_firefox() {
  [ -n "${FIREFOX:-}" ] || need_program firefox-esr firefox-esr
}

# A port of this machine that nobody listens on.
free_port() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); });'; }

sha256() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d' ' -f1; }

# --- builds ----------------------------------------------------------------------------------------------------------

# Packages that no hot loop runs through, or only by calls that are not inlined anyway: without inlining they make the page's
# program a tenth smaller. What scans, splits rows and formats plain cells (frame, index, wire, value) stays inlined; of decoder the
# scan calls so little for an event that it makes no difference that can be measured.
cold="bytes errors fmt internal/bisect internal/filepathlite internal/fmtsort internal/godebug internal/oserror internal/poll
  internal/reflectlite internal/runtime/maps internal/syscall/execenv internal/syscall/unix internal/testlog io io/fs os path
  reflect runtime slices sort strconv strings sync syscall syscall/js time unicode bufio compress/flate encoding/base64 hash/adler32
  binlens/wasm github.com/norunners/vert binlens/decoder binlens/decoder/charset binlens/decoder/jsonb binlens/decoder/gtid
  binlens/decoder/query binlens/decoder/render binlens/decoder/render/csv binlens/decoder/render/share binlens/decoder/render/sql
  binlens/decoder/render/text binlens/decoder/schema binlens/decoder/session"

build_wasm() {
  local package flags=()
  for package in $cold; do flags+=("-gcflags=$package=-l"); done
  mkdir -p dist/site
  # nogreenteagc: the collector that Go had before 1.26 is 10 kB smaller.
  GOEXPERIMENT=nogreenteagc as_js go build -trimpath -buildvcs=false "${flags[@]}" -ldflags="-s -w" -o dist/site/binlens.wasm ./wasm
  go run ./wasm/pack dist/site/binlens.wasm
}

build_site() {
  build_wasm
  node site/scripts/build.mjs site
}

build_programs() {
  mkdir -p dist/bin
  go build -trimpath -buildvcs=false -o dist/bin/serve .
  go build -trimpath -buildvcs=false -o dist/bin/binlens ./decoder/cmd/binlens
}

build_peers() { (cd testdata/peers && go vet ./... && go build -trimpath -buildvcs=false -o ../../dist/bin/peers .); }

build_single() { node site/scripts/build.mjs single; }

# The worker's own modules, the Go program, and the files with their _headers for the assets layer.
build_edge() {
  rm -rf dist/edge
  go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o dist/edge
  as_js go build -trimpath -buildvcs=false -ldflags="-s -w" -o dist/edge/app.wasm ./wasm/edge
  go run ./wasm/pack dist/edge/app.wasm
  cp wasm/edge/wrangler.json dist/edge/
  mkdir dist/edge/public
  cp -r dist/site/. dist/edge/public/
  go run ./site/headers dist/site >dist/edge/public/_headers
}

# Prints what is shipped with its size after gzip -9, and fails over a gate.
size_gates() {
  local wasm page parquet name
  wasm=$(gzip -9nc dist/site/binlens.wasm | wc -c)
  page=0
  for name in dist/site/*.js dist/site/*.css; do
    page=$((page + $(gzip -9nc "$name" | wc -c)))
  done
  parquet=$(gzip -9nc dist/site/parquet.js | wc -c)
  page=$((page - parquet))
  printf 'wasm            %9d bytes gzipped, at most %d\n' "$wasm" "$max_wasm"
  printf 'page JS and CSS %9d bytes gzipped, at most %d\n' "$page" "$max_page"
  printf 'Parquet writer  %9d bytes gzipped, at most %d\n' "$parquet" "$max_parquet"
  [ "$wasm" -le "$max_wasm" ] && [ "$page" -le "$max_page" ] && [ "$parquet" -le "$max_parquet" ]
}

# --- serve, dist, clean ----------------------------------------------------------------------------------------------

serve() {
  need_tools
  need_node_modules
  build_site
  exec go run . "$@"
}

dist() {
  need_tools
  need_node_modules
  rm -rf dist/site
  build_site
  build_single
  build_edge
  say "sizes"
  local gates=0
  size_gates || gates=1
  printf 'single file     %9d bytes\n' "$(wc -c <dist/binlens.html)"
  printf 'edge program    %9d bytes gzipped\n' "$(gzip -9nc dist/edge/app.wasm | wc -c)"
  printf 'sha256 of binlens.html  %s\n' "$(sha256 <dist/binlens.html)"
  [ "$gates" = 0 ] || die "a size gate is passed over"
}

# The files that git would commit, in two folders of different depth, each built from nothing: no file of one may differ from
# that of the other.
reproduce() {
  need_tools
  local work one two dir
  work=$(mktemp -d)
  trap "rm -rf '$work'" EXIT
  one=$work/one two=$work/another/folder/two
  for dir in "$one" "$two"; do
    mkdir -p "$dir"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' name; do
      [ ! -e "$name" ] || printf '%s\0' "$name"
    done | tar -cf - --null --files-from=- | tar -xf - -C "$dir"
    say "building in $dir"
    GOCACHE=$work/cache "$dir/build.sh" dist
    rm -rf "$work/cache"
    (cd "$dir/dist" && find . -type f | sort | while IFS= read -r name; do echo "$(sha256 <"$name")  $name"; done) >"$work/${dir##*/}.sums"
  done
  say "result"
  diff "$work/one.sums" "$work/two.sums" || die "the two builds differ"
  echo "the same bytes in $(wc -l <"$work/one.sums") files"
}

shots() {
  need_tools
  need_node_modules
  need_chromium || exit 1
  build_site
  rm -rf dist/shots
  (cd site && SHOTS=1 PORT=${PORT:-$(free_port)} CHROMIUM=${CHROMIUM:-$(command -v chromium)} node_modules/.bin/playwright test --reporter=list)
}

clean() { rm -rf dist site/node_modules; }

# --- test ------------------------------------------------------------------------------------------------------------
# Everything runs, whatever fails before it; each part adds to the three counts. What is counted: of Go, every test and
# subtest, natively and again under js/wasm, and a package that does not build as one failure; of node and Playwright,
# every test; every other check as one.

passed=0
failed=0
skipped=0
failures=()
ok=yes

count() { # count NAME PASSED FAILED SKIPPED
  passed=$((passed + $2))
  failed=$((failed + $3))
  skipped=$((skipped + $4))
  [ "$3" = 0 ] || failures+=("$1: $3")
  [ "$4" = 0 ] || failures+=("$1: $4 skipped")
}

# check NAME COMMAND...: one check, passed when the command succeeds. It tells in $ok and never by its own status: called in
# a condition, bash would go on after a failed line of the command.
check() {
  local name=$1 status
  shift
  say "$name"
  set +e
  (set -e; "$@")
  status=$?
  set -e
  if [ "$status" = 0 ]; then
    echo "ok: $name"
    count "$name" 1 0 0
    ok=yes
  else
    echo "FAILED: $name"
    count "$name" 0 1 0
    ok=no
  fi
}

not_run() { # not_run NAME: what it needs has failed
  say "$1"
  echo "FAILED: $1 could not run"
  count "$1 could not run" 0 1 0
  ok=no
}

counted() { # counted NAME FILE: adds the "passed failed skipped" that a runner left in FILE; none left is a failure
  local p f s
  if [ -s "$2" ] && read -r p f s <"$2"; then
    [ $((p + f)) -gt 0 ] || f=1 # nothing ran
    count "$1" "$p" "$f" "$s"
  else
    echo "FAILED: $1 gave no result"
    count "$1" 0 1 0
  fi
}

gofmt_clean() {
  local bad
  bad=$(find . \( -name node_modules -o -path ./dist \) -prune -o -name '*.go' -exec gofmt -l {} +)
  [ -z "$bad" ] || { printf 'not gofmt-ed:\n%s\n' "$bad"; return 1; }
}

# The session package goes through every log there is in many ways: under -race that alone takes 9 minutes, and it starts no
# goroutine.
go_tests() {
  say "go test -race"
  {
    go test -race -json $(go list ./... | grep -v '/decoder/session$')
    go test -json ./decoder/session
  } 2>&1 | node site/scripts/gotest.mjs "$results/go.count" || true
  counted "go test -race" "$results/go.count"
}

# Goes on beside the native tests and the builds: the session package alone keeps one core busy for minutes.
begin_go_tests_js() {
  local exec
  exec="$(go env GOROOT)/lib/wasm/go_js_wasm_exec"
  (
    # wasm_exec.js passes the environment on, and refuses more than 12 KB of it: only what Go and node need goes in.
    for name in $(compgen -e); do
      case $name in PATH | HOME | TMPDIR | GO* | *_proxy | *_PROXY | NODE_* | SSL_* | CI) ;; *) unset "$name" ;; esac
    done
    # Its memory only grows, up to 4 GiB: the collector has to keep up with what thousands of logs leave behind.
    export GOMEMLIMIT=1GiB
    GOOS=js GOARCH=wasm go test -json -exec "$exec" ./... 2>&1 | node site/scripts/gotest.mjs "$results/go-js.count" || true
  ) >"$results/go-js.log" 2>&1 &
}

end_go_tests_js() {
  say "go test, js/wasm"
  wait
  cat "$results/go-js.log"
  counted "go test, js/wasm" "$results/go-js.count"
}

node_tests() { # node_tests NAME FILE: a file of node:test tests in site/scripts
  say "$1 (node:test)"
  local tap=$results/$2.tap
  # A failed test that leaves a server open would keep its process alive for ever: after ten minutes it has failed.
  (cd site && timeout --kill-after=10 600 node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=tap \
    --test-reporter-destination="../$tap" "scripts/$2") || true
  # Tests that were cancelled did not pass.
  awk '/^# (pass|fail|cancelled|skipped|todo) / { n[$2] = $3 }
    END { if ("pass" in n) print n["pass"], n["fail"] + n["cancelled"], n["skipped"] + n["todo"] }' "$tap" >"$results/$2.count" || true
  counted "$1" "$results/$2.count"
}

browser_tests() {
  say "page (Playwright)"
  local json=$results/playwright.json
  (cd site && PORT=${PORT:-$(free_port)} PLAYWRIGHT_JSON_OUTPUT_FILE="../$json" node_modules/.bin/playwright test --reporter=list,json) || true
  node -e '
    const { stats, errors } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(stats.expected, stats.unexpected + stats.flaky + errors.length, stats.skipped);
  ' "$json" >"$results/playwright.count" || true
  counted "page" "$results/playwright.count"
}

# Every log decoded by go-mysql too, every difference explained; in a module of its own.
differential_test() { (cd testdata/peers && go test -count=1 ./...); }

typecheck() { (cd site && node_modules/.bin/tsc --noEmit); }

test_all() {
  results=dist/results
  rm -rf "$results"
  mkdir -p "$results"
  trap summary EXIT # the closing line comes whatever happens
  need_tools

  begin_go_tests_js
  check "gofmt" gofmt_clean
  check "go mod tidy" go mod tidy -diff
  check "go vet" go vet ./...
  check "go vet, js/wasm" as_js go vet ./...
  check "staticcheck" go run "$staticcheck" ./...
  check "staticcheck, js/wasm" staticcheck_js

  go_tests

  check "npm ci" need_node_modules
  check "tsc" typecheck
  check "build: programs" build_programs
  check "build: peers" build_peers
  check "differential test against go-mysql" differential_test
  check "build: page" build_site
  local page=$ok single edge
  if [ "$page" = yes ]; then check "size gates" size_gates; else not_run "size gates"; fi
  if [ "$page" = yes ]; then check "build: single file" build_single; else not_run "build: single file"; fi
  single=$ok
  if [ "$page" = yes ]; then check "build: edge worker" build_edge; else not_run "build: edge worker"; fi
  edge=$ok
  end_go_tests_js
  check "chromium" need_chromium
  local chromium=$ok
  export CHROMIUM=${CHROMIUM:-$(command -v chromium)}
  if [ "$edge" = yes ]; then node_tests "edge worker" edge.test.mjs; else not_run "edge worker"; fi
  if [ "$chromium$single" = yesyes ]; then node_tests "single file" single.test.mjs; else not_run "single file"; fi
  if [ "$chromium$page" = yesyes ]; then browser_tests; else not_run "page"; fi
  if ! need_firefox; then
    count "Firefox is not here, and cannot be installed" 0 0 1
  elif [ "$single" = yes ]; then
    export FIREFOX=${FIREFOX:-$(command -v firefox-esr)}
    node_tests "Firefox" firefox.test.mjs
  else
    not_run "Firefox"
  fi
}

staticcheck_js() {
  # The tool itself runs here; only what it looks at is for js.
  mkdir -p dist/bin
  GOBIN="$PWD/dist/bin" go install "$staticcheck"
  as_js dist/bin/staticcheck ./...
}

summary() {
  local status=$?
  trap - EXIT
  if [ "$status" != 0 ]; then count "build.sh itself" 0 1 0; fi
  say "result"
  [ ${#failures[@]} = 0 ] || printf '%s\n' "${failures[@]}"
  if [ "$skipped" = 0 ]; then
    echo "$passed passed, $failed failed"
  else
    echo "$passed passed, $failed failed, $skipped skipped"
  fi
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ] || exit 1
  exit 0
}

# --- bench -----------------------------------------------------------------------------------------------------------

bench_log=dist/bench/rows.binlog
undo_log=dist/bench/undo.binlog
big_log=dist/bench/big.binlog

bench() {
  need_tools
  mkdir -p dist/bench
  if [ ! -s "$bench_log" ]; then
    say "making $bench_log"
    need_program mariadbd mariadb-server mariadb-client || exit 1
    need_program faketime faketime || exit 1
    testdata/make.sh bench
  fi
  if [ ! -s "$undo_log" ]; then
    say "making $undo_log"
    testdata/make.sh undo
  fi
  need_node_modules
  build_site
  build_programs
  build_peers
  say "native and under Node, against go-mysql and mariadb-binlog"
  dist/bin/peers -file "$bench_log" -undo "$undo_log" "$@"
  say "native: pauses of the collector with an index of 300 MB"
  go test -run '^$' -bench Pause -benchtime 5x ./decoder/index
  need_chromium || exit 1
  export CHROMIUM=${CHROMIUM:-$(command -v chromium)}
  say "$big_log"
  go run ./decoder/internal/logtest/biglog -out "$big_log" # kept when it is there
  say "in Chromium: index and CRC of 1 GiB in 10 million events, against the browser's own read of it"
  node site/bench/browser.mjs "$big_log" 3
}

# ---------------------------------------------------------------------------------------------------------------------

verb=${1:-}
[ $# = 0 ] || shift
case $verb in
  serve) serve "$@" ;;
  test) test_all ;;
  bench) bench "$@" ;;
  shots) shots ;;
  dist) dist ;;
  reproduce) reproduce ;;
  clean) clean ;;
  *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p;}' "$0"; [ -z "$verb" ] || exit 2 ;;
esac
