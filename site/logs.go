package site

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// Logs is where binary logs lie that a site offers to the page: a folder of this machine, a bucket at the edge. There are
// no folders inside it.
type Logs interface {
	// List returns the logs in the order of their names.
	List() ([]Log, error)
	// Open opens one by its name; the error is fs.ErrNotExist when there is none.
	Open(name string) (LogFile, error)
}

// Log is what a listing says of a log.
type Log struct {
	Name     string    `json:"name"`
	Size     int64     `json:"size"` // bytes
	Modified time.Time `json:"modified"`
}

// LogFile is an open log. It is read by ranges: Seek costs nothing.
type LogFile interface {
	io.ReadSeekCloser
	// Log returns what it is.
	Log() Log
	// ETag changes whenever its bytes do; it is strong, and quoted.
	ETag() string
}

// logsPath is below what logs are served.
const logsPath = "/logs/"

// maxLogName is the longest name of a log, in bytes.
const maxLogName = 255

// validLogName says that a name can be that of a log: one element of a path, no dot-file, printable UTF-8.
func validLogName(name string) bool {
	if name == "" || len(name) > maxLogName || name[0] == '.' || strings.ContainsAny(name, `/\`) || !utf8.ValidString(name) {
		return false
	}
	for _, r := range name {
		if r < ' ' || r == 0x7f {
			return false
		}
	}
	return true
}

// serveLogs answers below logsPath: the listing, or a log by ranges, with a conditional request by its ETag.
func (h *handler) serveLogs(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, logsPath)
	if name == "" {
		h.listLogs(w)
		return
	}
	if !validLogName(name) {
		fail(w, http.StatusNotFound)
		return
	}
	file, err := h.logs.Open(name)
	if err != nil {
		fail(w, status(err))
		return
	}
	defer file.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", file.ETag())
	http.ServeContent(w, r, "", file.Log().Modified, file)
}

func (h *handler) listLogs(w http.ResponseWriter) {
	list, err := h.logs.List()
	if err != nil {
		fail(w, status(err))
		return
	}
	shown := []Log{}
	for _, l := range list {
		if validLogName(l.Name) {
			l.Modified = l.Modified.UTC().Truncate(time.Second)
			shown = append(shown, l)
		}
	}
	body, err := json.Marshal(shown)
	if err != nil {
		fail(w, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(body, '\n'))
}
