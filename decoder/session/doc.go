// Package session is the whole use of a log over an io.ReaderAt: open it, index it step by step, and meanwhile list its
// rows, show any of them, give their bytes. The page's worker and the terminal command are thin over it. It knows nothing
// of JavaScript.
//
// A Session is fed the bytes of the file in their order ([Session.Feed]) and works them off in steps of bounded time
// ([Session.Step]), so that whoever drives it can do other things in between. Everything that shows rows works on what is
// indexed so far. It is for one goroutine.
//
// Columns that a table map does not name have the names of the DDL that stands in the log before their rows, or of a schema
// given ([Session.AddSchema]): names.go. What is selected is written in a [Format] by an [Export], in steps as well: redo.go,
// undo.go, textout.go, csvout.go. What an export leaves out is in its [Notes].
//
// Parts of a large log may be looked through elsewhere, by a [Range] each; [Session.Merge] takes over what they found.
package session
