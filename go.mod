module binlens

go 1.26

require github.com/syumai/workers v0.32.0

require golang.org/x/text v0.38.0

require github.com/norunners/vert v0.0.0-20221203075838-106a353d42dd

require github.com/klauspost/compress v1.20.4
