// Package session is the whole use of a log over an io.ReaderAt: open it, index it step by step, and meanwhile list its
// rows, show any of them, give their bytes. The page's worker and the terminal command are thin over it. It knows nothing
// of JavaScript.
//
// A Session is fed the bytes of the file in their order ([Session.Feed]) and works them off in steps of bounded time
// ([Session.Step]), so that whoever drives it can do other things in between. Everything that shows rows works on what is
// indexed so far. It is for one goroutine.
//
// Parts of a large log may be looked through elsewhere, by a [Range] each; [Session.Merge] takes over what they found.
package session
