package index_test

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"math"
	"runtime/metrics"
	"testing"
	"time"
)

// BenchmarkPause adds rows to an index of 300 MB, with garbage as decoding leaves it, and tells the longest pause of the
// collector and the longest step of 1000 rows, which has what the collector does beside it.
func BenchmarkPause(b *testing.B) {
	const rows = 300_000_000 / 24
	format := &decoder.FormatDescription{BinlogVersion: 4}
	fr := frame.Frame{Size: 100, Format: format, Header: decoder.Header{Type: decoder.XidType, Size: 100}}
	for b.Loop() {
		var builder index.Builder
		var garbage []byte
		before, longest := gcPauses(), time.Duration(0)
		for i := int64(0); i < rows; {
			start := time.Now()
			for range 1000 {
				fr.Off, fr.Header.Timestamp = 4+100*i, uint32(1_700_000_000+i/1000)
				builder.Add(&fr)
				i++
			}
			garbage = make([]byte, 64<<10)
			longest = max(longest, time.Since(start))
		}
		b.ReportMetric(longestPause(before, gcPauses()).Seconds()*1e3, "ms-pause")
		b.ReportMetric(longest.Seconds()*1e3, "ms-step")
		b.ReportMetric(float64(len(garbage)+int(builder.Index.Len()*24))/1e6, "MB")
	}
}

func gcPauses() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64Histogram()
}

// longestPause is the upper end of the highest bucket that has got more.
func longestPause(before, after *metrics.Float64Histogram) time.Duration {
	for i := len(after.Counts) - 1; i >= 0; i-- {
		if end := after.Buckets[i+1]; after.Counts[i] > before.Counts[i] {
			if math.IsInf(end, 1) {
				end = after.Buckets[i]
			}
			return time.Duration(end * float64(time.Second))
		}
	}
	return 0
}
