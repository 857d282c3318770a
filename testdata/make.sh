#!/usr/bin/env bash
# Makes the real logs under testdata/ again, from the SQL beside them, with a MariaDB server that it starts and stops.
#
#   testdata/make.sh              all logs
#   testdata/make.sh types xa     the named ones (truncated is cut out of basic)
#   testdata/make.sh bench undo   dist/bench/rows.binlog and undo.binlog, for ./build.sh bench; too large to keep
#
# Needs Debian's mariadb-server and faketime (the server's own clock decides the time of its format description event).
# Two runs give logs of the same events and values, not of the same bytes: XIDs, table ids and
# the server's version string are the server's own. Review a new log, and its golden dump, as a change.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/binlens-make.XXXXXX")
server_pid=""

# The time at which the server believes to have been started; a script moves it on through the file.
clock="@2026-01-06 07:59:00"
export CLOCK_FILE=$work/clock
# What a script starts a second connection with.
export CLIENT="mariadb --no-defaults -uroot -S $work/s.sock"

need() {
  command -v "$1" >/dev/null || { echo "make.sh: $1 is missing: apt-get install $2" >&2; exit 1; }
}

cleanup() {
  [ -z "$server_pid" ] || kill "$server_pid" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

sql() { # sql [client options]: runs standard input on the server
  mariadb --no-defaults -uroot -S "$work/s.sock" --default-character-set=utf8mb4 "$@"
}

start_server() { # start_server OPTION...
  rm -rf "$work/data"
  cp -r "$work/fresh" "$work/data"
  echo "$clock" >"$CLOCK_FILE"
  TZ=UTC LD_PRELOAD=$faketime FAKETIME_TIMESTAMP_FILE=$CLOCK_FILE FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 mariadbd --no-defaults --user="$(id -un)" \
    --datadir="$work/data" --socket="$work/s.sock" --pid-file="$work/p.pid" --skip-networking --default-time-zone=+00:00 \
    --character-set-server=utf8mb4 --collation-server=utf8mb4_general_ci --innodb-buffer-pool-size=32M \
    --local-infile=1 --server-id=1 --log-bin="$work/data/bin" --binlog-format=ROW --binlog-row-metadata=FULL \
    --binlog-checksum=CRC32 --log-warnings=1 "$@" >"$work/server.log" 2>&1 &
  server_pid=$!
  for _ in $(seq 200); do
    mariadb-admin --no-defaults -uroot -S "$work/s.sock" ping >/dev/null 2>&1 && return
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.1
  done
  cat "$work/server.log" >&2
  exit 1
}

stop_server() {
  mariadb-admin --no-defaults -uroot -S "$work/s.sock" shutdown
  wait "$server_pid" || true
  server_pid=""
}

# The rows of every table of schema $1 as the server itself selects them, one cell a line:
# table, id, column, column type, kind (null, number, text, bit, hex), value, and for ENUM and SET the stored number.
# Tables whose first column is not called `id` are left out.
expected() {
  sql -N -r -e "SET SESSION group_concat_max_len = 1 << 20;
    SELECT CONCAT('SELECT ''', c.table_name, ''', id, ''', c.column_name, ''', ''', REPLACE(IF(LENGTH(c.column_type) > 60, CONCAT(c.data_type, '(…)'), c.column_type), '''', ''''''),
      ''', IF(\`', c.column_name, '\` IS NULL, ''null'', ''',
      CASE WHEN c.data_type = 'bit' THEN 'bit'
           WHEN c.data_type IN ('binary','varbinary','tinyblob','blob','mediumblob','longblob') THEN 'hex'
           WHEN c.data_type IN ('geometry','point','linestring','polygon') THEN 'hex'
           WHEN c.data_type IN ('tinyint','smallint','mediumint','int','bigint','decimal','float','double','year') THEN 'number'
           ELSE 'text' END, '''), ',
      CASE WHEN c.data_type = 'bit' THEN CONCAT('LPAD(BIN(\`', c.column_name, '\` + 0), ', c.numeric_precision, ', ''0'')')
           WHEN c.data_type IN ('binary','varbinary','tinyblob','blob','mediumblob','longblob') THEN CONCAT('HEX(\`', c.column_name, '\`)')
           WHEN c.data_type IN ('geometry','point','linestring','polygon') THEN CONCAT('HEX(\`', c.column_name, '\`)')
           WHEN c.data_type IN ('float','double') THEN CONCAT('CAST(\`', c.column_name, '\` AS DOUBLE)')
           WHEN c.data_type LIKE '%int' THEN CONCAT('CAST(\`', c.column_name, '\` + 0 AS CHAR)')
           WHEN c.character_set_name IS NOT NULL THEN CONCAT('CONVERT(\`', c.column_name, '\` USING utf8mb4)')
           ELSE CONCAT('CAST(\`', c.column_name, '\` AS CHAR)') END, ', ',
      IF(c.data_type IN ('enum','set'), CONCAT('CAST(\`', c.column_name, '\` AS UNSIGNED)'), ''''''),
      ' FROM \`$1\`.\`', REPLACE(c.table_name, '\`', '\`\`'), '\` ORDER BY id;')
    FROM information_schema.columns c JOIN information_schema.columns k USING (table_schema, table_name)
    WHERE c.table_schema = '$1' AND k.ordinal_position = 1 AND k.column_name = 'id' AND c.column_name <> 'id'
    ORDER BY c.table_name, c.ordinal_position" >"$work/expected.sql"
  sql -N -B <"$work/expected.sql"
}

# make_log TARGET-WITHOUT-SUFFIX SQL-FILE SCHEMA SERVER-OPTION...
# SCHEMA names the schema whose final rows are kept as TARGET.expected.tsv; "-" keeps none.
make_log() {
  local target=$1 script=$2 schema=$3
  shift 3
  echo "making ${target#"$here/"}.binlog" >&2
  start_server "$@"
  sql -e 'FLUSH BINARY LOGS' # a log of its own, without what the server's start wrote
  local force=()
  [ "${target##*/}" != statement ] || force=(--force)
  (cd "$here/mariadb" && sql --local-infile=1 "${force[@]}" <"$script" >/dev/null)
  local log
  log=$(sql -N -e 'SHOW MASTER STATUS' | cut -f1)
  [ "$schema" = - ] || expected "$schema" >"$target.expected.tsv"
  if [ "${target##*/}" = basic ]; then # the log as it is while the server writes it: marked as in use
    install -m 644 "$work/data/$log" "${target%/*}/in_use.binlog"
  fi
  sql -e 'FLUSH BINARY LOGS'
  stop_server
  install -m 644 "$work/data/$log" "$target.binlog"
  case $target in "$here"/mariadb/*) tool_text "$target" ;; esac
}

# What the server's own tool says of a log. It is an oracle with known faults: see README.md.
tool_text() { # tool_text TARGET
  local status=0
  TZ=UTC mariadb-binlog --no-defaults -vv --base64-output=decode-rows --print-table-metadata --local-load="$work" \
    "$1.binlog" >"$work/tool.txt" 2>"$work/tool.log" || status=$?
  sed "s|$work/||" "$work/tool.txt" >"$1.mariadb-binlog.txt"
  [ "$status" = 0 ] || { sed 's/^/# mariadb-binlog says: /' "$work/tool.log"; echo "# exit status $status"; } >>"$1.mariadb-binlog.txt"
}

# The first BYTES bytes of a log, as a copy or a crash leaves them.
cut_log() { # cut_log SOURCE BYTES TARGET
  head -c "$2" "$here/mariadb/$1.binlog" >"$here/mariadb/$3.binlog"
}

# Where event number N (from 1) of a log starts, by the server's own tool.
event_start() { # event_start LOG N
  mariadb-binlog --no-defaults "$here/mariadb/$1.binlog" | sed -n 's/^# at \([0-9]*\)$/\1/p' | sed -n "$2p"
}

logs=(sample types types_nolog types_minimal extras temporals_old temporals_hires images statement basic nochecksum xa gtid compressed truncated)

make_one() {
  local m=$here/mariadb
  case $1 in
    sample) make_log "$here/sample/sample" "$here/sample/sample.sql" - ;;
    types) make_log "$m/types" "$m/types.sql" types ;;
    types_nolog) make_log "$m/types_nolog" "$m/types.sql" - --binlog-row-metadata=NO_LOG ;;
    types_minimal) make_log "$m/types_minimal" "$m/types.sql" - --binlog-row-metadata=MINIMAL ;;
    extras) make_log "$m/extras" "$m/extras.sql" extras ;;
    temporals_old) make_log "$m/temporals_old" "$m/temporals_old.sql" temporals_old ;;
    temporals_hires) make_log "$m/temporals_hires" "$m/temporals_hires.sql" temporals_hires ;;
    images) make_log "$m/images" "$m/images.sql" images ;;
    statement) make_log "$m/statement" "$m/statement.sql" - --binlog-format=STATEMENT ;;
    basic) make_log "$m/basic" "$m/basic.sql" basic ;;
    nochecksum) make_log "$m/nochecksum" "$m/basic.sql" - --binlog-checksum=NONE --binlog-annotate-row-events=OFF ;;
    xa) make_log "$m/xa" "$m/xa.sql" - ;;
    gtid) make_log "$m/gtid" "$m/gtid.sql" - ;;
    compressed) make_log "$m/compressed" "$m/compressed.sql" compressed --log-bin-compress=ON --log-bin-compress-min-len=10 ;;
    truncated) truncated ;;
    bench) make_log "$here/../dist/bench/rows" "$here/peers/bench.sql" - --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=512M ;;
    undo) make_log "$here/../dist/bench/undo" "$here/peers/undo.sql" - --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=512M ;;
    *) echo "make.sh: no log is called $1; there are: ${logs[*]}" >&2; exit 1 ;;
  esac
}

# Logs that end too early: cut out of basic.binlog.
truncated() {
  local at
  echo "making mariadb/truncated_*.binlog" >&2
  at=$(event_start basic 9)
  cut_log basic 4 truncated_magic                 # nothing but the magic bytes
  cut_log basic 100 truncated_fde                 # inside the format description
  cut_log basic $((at + 7)) truncated_header      # inside a header
  cut_log basic $((at + 19)) truncated_body       # a header, no body
  cut_log basic $(($(event_start basic 10) - 2)) truncated_checksum # inside a checksum
}

need mariadbd mariadb-server
need mariadb-binlog mariadb-client
faketime=$(find /usr/lib -name libfaketimeMT.so.1 2>/dev/null | head -n1)
[ -n "$faketime" ] || { echo "make.sh: libfaketime is missing: apt-get install faketime" >&2; exit 1; }
[ "$(id -u)" != 0 ] || chmod 755 "$work"
mariadb-install-db --no-defaults --datadir="$work/fresh" --user="$(id -un)" --auth-root-authentication-method=normal \
  --skip-test-db >"$work/install.log" 2>&1 || { cat "$work/install.log" >&2; exit 1; }
if [ $# -gt 0 ]; then todo=("$@"); else todo=("${logs[@]}"); fi
for name in "${todo[@]}"; do make_one "$name"; done
