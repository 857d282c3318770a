package session_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// trap is an entry of the list of publicly reported faults of other readers, by its number there.
type trap struct {
	number int
	tests  string // those that would fail if this reader had the fault; of another package, or a file of the page's tests, by its name in front
	note   string // what of the entry cannot be met here, and why
}

// traps are all entries. Numbers that stand only in the list's table of statements for a real server are among them, for
// what these statements make. Besides the tests named here, which build their logs, TestCasesRows and TestCasesEvents read the
// list's own small logs, and TestValuesAreTheServersOwn, TestToolSaysTheSame and TestMySQLToolSaysTheSame compare with what
// servers and their tools say.
var traps = []trap{
	// Integers
	{1, "TestTrapIntegers TestTrapSignUnknown value.TestText", ""},
	{2, "TestTrapIntegers TestTrapIntegerEdges value.TestText", ""},
	{3, "TestTrapIntegers decoder.TestSignedness", ""},
	{4, "TestTrapIntegers TestTrapSignBits decoder.TestSignedness", ""},
	{5, "TestTrapIntegers decoder.TestSignedness", ""},
	{6, "TestTrapIntegers TestTrapSignBits", ""},
	{7, "TestTrapIntegers", ""},
	{8, "TestTrapIntegers", ""},
	{9, "TestTrapIntegers TestTrapIntegerEdges render.TestCells", ""},
	{10, "TestTrapIntegers TestTrapTinyint", ""},
	// Decimals and floats
	{11, "TestTrapDecimals TestTrapDecimalShapes value.TestDecimalAll", ""},
	{12, "TestTrapDecimals TestTrapDecimalShapes value.TestDecimalAll", ""},
	{13, "TestTrapDecimals value.TestText", ""},
	{14, "TestTrapDecimals", ""},
	{15, "TestTrapDecimals TestTrapDecimalShapes value.TestDecimalAll", ""},
	{16, "TestTrapDecimals jsonb.TestDocuments", ""},
	{18, "TestTrapDecimals value.TestFloatReadsBack value.TestFloatForm", ""},
	{19, "TestTrapDecimals TestTrapUnreadableTypes value.TestReadRefuses", ""},
	// Dates and times
	{20, "TestTrapTemporals TestTrapTimes value.TestTime2All", ""},
	{21, "TestTrapTemporals TestTrapTimes value.TestTime2All", ""},
	{22, "TestTrapTemporals TestTrapTimes value.TestTime2All", ""},
	{23, "TestTrapTemporals TestTrapTimes value.TestTime2All", ""},
	{24, "TestTrapTemporals TestTrapTimes value.TestTime2All", ""},
	{25, "TestTrapTemporals TestTrapFractions TestTrapYearsAndDates value.TestDateAll", ""},
	{26, "TestTrapTemporals value.TestText", ""},
	{27, "TestTrapTemporals", ""},
	{28, "TestTrapTemporals value.TestText", ""},
	{29, "TestTrapTimes TestTrapFractions value.TestDatetime2All", ""},
	{30, "TestFractionsFoundByFit decoder.TestFit decoder.TestFitOneColumn value.TestHires", ""},
	{31, "TestTrapTemporals value.TestTimestampAll", "a switch to another zone is for the page: the event JSON is always UTC"},
	{32, "TestTrapTemporals TestTrapYearsAndDates", ""},
	{33, "TestTrapTemporals TestTrapFractions", ""},
	{34, "TestTrapTemporals TestTrapFractions value.TestTimestampAll", ""},
	{35, "TestTrapTemporals TestTrapTimes", ""},
	// Strings and character sets
	{36, "TestTrapStrings TestTrapLengths value.TestResolve", ""},
	{37, "TestTrapStrings TestTrapLengths value.TestResolve", ""},
	{38, "TestTrapStrings TestTrapLengths value.TestResolveLengths", ""},
	{39, "TestTrapStrings TestTrapLengths value.TestBytes", ""},
	{40, "TestTrapStrings TestTrapEitherBinaryOrChar", ""},
	{41, "TestTrapStrings TestTrapEitherBinaryOrChar", ""},
	{42, "TestTrapCharacterSets TestTrapUndecodable charset.TestBytesAgainstText charset.TestMySQLCollations charset.TestMariaDBCollations", ""},
	{43, "TestTrapQueryCharacters render.TestCellsOfEastAsia", ""},
	{44, "TestTrapQueryCharacters", ""},
	{45, "TestTrapStrings", "literals of SQL: there is no output of SQL yet"},
	{46, "TestTrapStrings", "the text of a UUID or an address is not offered beside the bytes yet"},
	{47, "TestTrapStrings value.TestBytes", ""},
	{48, "TestTrapStrings", "names out of a user's table definition: none is read yet; names of the metadata go by their order"},
	// ENUM, SET, BIT
	{49, "TestTrapEnumSetBit TestTrapEnums TestTrapSets", ""},
	{50, "TestTrapEnumSetBit TestTrapEnums", ""},
	{51, "TestTrapEnumSetBit TestTrapSets", ""},
	{52, "TestTrapEnumSetBit", ""},
	{53, "TestTrapEnumSetBit TestTrapSets", ""},
	{54, "TestTrapEnumSetBit TestTrapBits", ""},
	{55, "TestTrapEnumSetBit TestTrapBits", ""},
	{56, "TestTrapEnumSetBit TestTrapBits value.TestReadMeta", ""},
	{57, "TestTrapEnumSetBit TestTrapBits", "there is no output of SQL yet; the event JSON has the literal"},
	{58, "TestTrapUnreadableTypes", ""},
	{59, "TestTrapEnumSetBit render.TestCells", ""},
	// JSON
	{60, "TestTrapDocuments jsonb.TestDocuments", ""},
	{61, "TestTrapDocuments jsonb.TestBuiltDocuments", ""},
	{62, "TestTrapDocuments jsonb.TestBuiltDocuments", ""},
	{63, "TestTrapLargeDocuments jsonb.TestBuiltDocuments", ""},
	{64, "TestTrapOpaque jsonb.TestDocuments", ""},
	{65, "TestTrapOpaque jsonb.TestDocuments", ""},
	{66, "TestTrapDocuments jsonb.TestDocuments", ""},
	{67, "TestTrapDocuments jsonb.TestDocuments", ""},
	{68, "TestTrapDocuments TestTrapNestedDocuments jsonb.TestTangledOffsets", ""},
	{69, "TestTrapDocuments jsonb.TestDocuments", ""},
	{70, "TestTrapDocuments jsonb.TestDocuments", ""},
	{71, "TestTrapDocuments jsonb.TestDocuments", ""},
	{72, "TestTrapPartialJSON TestTrapNineDocuments jsonb.TestApply decoder.TestPartialUpdateRows render.TestPartialUpdates", ""},
	{73, "TestTrapPartialJSON decoder.TestPartialUpdateRows", ""},
	{74, "TestTrapPartialJSON jsonb.TestReadDiffs jsonb.TestApply", ""},
	{75, "TestTrapJSONOfMariaDB", ""},
	// Geometry and VECTOR
	{76, "TestTrapGeometries TestTrapGeometryKinds TestTrapGeometryDamaged value.TestAppendWKT", ""},
	{77, "TestTrapGeometries TestTrapGeometryKinds TestTrapGeometryDamaged value.TestAppendWKT value.TestWKTFaults", ""},
	{78, "TestTrapGeometries TestTrapGeometryKinds value.TestAppendWKT", ""},
	{79, "TestTrapGeometries render.TestCells", ""},
	{80, "TestTrapGeometries", "a switch to floats is for the page: not there yet"},
	// Table maps
	{81, "TestTrapManyColumns decoder.TestTableMapLarge decoder.TestRowsWide", ""},
	{82, "TestTrapManyColumns", ""},
	{83, "TestTrapTableMaps", ""},
	{84, "TestTrapTableMaps TestTrapLongNames decoder.TestOptionalMetadata", ""},
	{85, "TestTrapTableMaps TestTrapHiddenColumns decoder.TestOptionalMetadata", ""},
	{86, "TestTrapHiddenColumns value.TestReadMeta", ""},
	{87, "TestTrapHiddenColumns", ""},
	{88, "TestTrapHiddenColumns", ""},
	{89, "TestTrapHiddenColumns", "a warning that a table definition has fewer columns: none is read yet"},
	{90, "TestTrapMetadataOfAbsentColumns", ""},
	{91, "TestTrapShortMetadata decoder.TestTableMapFaults", ""},
	{92, "TestTrapPrefixKey decoder.TestOptionalMetadata", ""},
	{93, "TestTrapMetadataWidths TestTrapMetadataOfAbsentColumns", ""},
	{94, "TestTrapMapsInForce index.TestTableVersions", ""},
	{95, "TestTrapMapsInForce", ""},
	{97, "TestTrapLongNames", ""},
	{98, "TestTrapTableMaps TestTrapMetadataWidths", ""},
	// Row images
	{99, "TestTrapImages decoder.TestRows", ""},
	{100, "TestTrapRowsOfNull", ""},
	{101, "TestTrapNoColumns", ""},
	{102, "TestTrapImages render.TestAbsentIsNotNull", "SQL that refuses or marks such rows: there is no output of SQL yet"},
	{103, "TestTrapExtraInformation decoder.TestExtraRowInfo", ""},
	{104, "TestTrapExtraInformation decoder.TestExtraRowInfo decoder.TestRowsFaults", ""},
	{105, "TestTrapRowFlags render.TestFlags", ""},
	{107, "TestTrapRowsEnd decoder.TestRowsProblems render.TestBadRowInTheMiddle", ""},
	{108, "TestTrapTriggers", "the reverse order: there is no SQL that undoes yet"},
	// GTIDs
	{109, "TestTrapTaggedGtid TestTrapTaggedUUIDs decoder.TestGtidTagged wire.TestVarlen", ""},
	{110, "TestTrapPreviousGtids decoder.TestPreviousGtids", ""},
	{112, "TestTrapGtidStages decoder.TestValidGtids", ""},
	{113, "TestTrapGtidStages decoder.TestValidGtids decoder.TestGtid56", ""},
	{114, "TestTrapMariaGtids TestTrapMariaGroups decoder.TestMariaGtid decoder.TestGtidList", ""},
	{115, "TestTrapMariaGtids decoder.TestMariaFaults", ""},
	{116, "TestTrapAnonymousGtid TestTrapGtidStages", ""},
	// Transaction payloads
	{117, "TestTrapPayloads TestTrapPayloadNotExpanded inflate.TestZstd", ""},
	{118, "TestTrapPayloads", ""},
	{119, "TestTrapPayloads", ""},
	{120, "TestTrapPayloads decoder.TestTransactionPayload", ""},
	{121, "TestTrapLargePayloads", ""},
	{122, "TestTrapPayloads TestInsideInAnyOrder", ""},
	{123, "inflate.TestZstdBomb", "no input: a payload is read up to 1 GiB of decompressed bytes, and places in it are kept in 64 bits"},
	// Files
	{124, "TestTrapInUse frame.TestInUse", ""},
	{125, "TestTrapInUse frame.TestInUse", ""},
	{126, "TestTrapTextBeforeChecksum", ""},
	{128, "TestTrapTextBeforeChecksum frame.TestSoundLogs", ""},
	{129, "TestTrapFormats decoder.TestFormatOfServers decoder.TestFormatChecksumLen", ""},
	{130, "TestTrapChangingFormats frame.TestSeveralFormats", ""},
	{131, "TestTrapRotateNames render.TestRareSummariesAreShort", ""},
	{133, "TestTrapTruncated frame.TestEnds", ""},
	{134, "TestTrapBadChecksum frame.TestBadChecksum frame.TestEveryFlip", ""},
	{136, "TestTrapNoFormat frame.TestNoFormat frame.TestSniffForeign frame.TestSniffLogs", ""},
	{137, "TestTrapPolynomial", ""},
	{138, "TestTrapEncrypted frame.TestSniffForeign frame.TestEncryptedHeader", ""},
	{139, "TestTrapTruncated TestTrapHeadOfFile TestCancel", "reading a compressed stream: such files are named and not read"},
	// Positions
	{140, "TestTrapWrappedPositions", ""},
	{141, "TestTrapPositionsOfZero frame.TestPositions", ""},
	{142, "TestTrapPositionsOfZero", ""},
	{143, "TestTrapDummyEvents", ""},
	// Unknown and special events
	{144, "TestTrapUnknownEvents frame.TestEveryTypeIsFoundAgain", ""},
	{145, "TestTrapHeartbeats", ""},
	{146, "TestTrapUnknownEvents", ""},
	{147, "TestTrapXA index.TestTransactions", ""},
	{148, "TestTrapStatementValues decoder.TestUserVar", ""},
	{149, "TestTrapLoadData decoder.TestLoadData", ""},
	// Queries
	{150, "TestTrapStatusVariables decoder.TestStatusVariables decoder.TestStatusUnknown", ""},
	{151, "TestTrapStatusVariables decoder.TestStatusVariables", ""},
	{152, "TestTrapRowsQuery", ""},
	{153, "TestTrapQuerySchema decoder.TestQueryFaults", ""},
	{154, "TestTrapAnnotate", ""},
	// MariaDB
	{155, "TestTrapCompressedQueries TestTrapCompressedRows decoder.TestQueryCompressed decoder.TestRowsCompressed inflate.TestZlibFaults", ""},
	{156, "TestTrapCompressedRows decoder.TestRowsCompressed", ""},
	{157, "TestTrapSplitRows", "the pieces are read, told and kept in their transaction, and not joined to the row event yet"},
	{158, "TestTrapInnoDBLog frame.TestSniffForeign", ""},
	{159, "TestTrapFormats decoder.TestFormatOfServers", ""},
	// Size, memory, speed
	{160, "TestTrapLargeEvent TestLargeEvents frame.TestLargeEvents", ""},
	{161, "TestTrapRowsAreReadWhenShown TestPageOfLargeLogStaysFlat index.TestIndexingAllocatesLittle decoder.TestReadingRowsAllocatesNothing", ""},
	{162, "TestTrapRowsAreReadWhenShown frame.TestScanningAllocatesNothing", "speed itself is for a benchmark, not for a test"},
	// The browser: all of these are about the page, whose tests run in one.
	{163, "TestPageOfLargeLogStaysFlat site/test/scan.spec.ts", ""},
	{164, "site/test/scan.spec.ts", "Safari is not to be had for tests"},
	{165, "TestFeedInAnyChunks site/test/scan.spec.ts", "the growth of memory over gigabytes is for a measurement"},
	{166, "TestPage render.TestRowPages site/test/scan.spec.ts", ""},
	{167, "decoder.TestImports", "TinyGo is not used; nothing reads a file whole"},
	{168, "TestPage site/test/scan.spec.ts site/test/unit.spec.ts", ""},
}

// highestTrap is the last number of the list; those of these that the list does not have are not in it anywhere.
const highestTrap = 168

var notInList = []int{17, 96, 106, 111, 127, 132, 135}

// Every entry has tests, which exist, or a note of why it has none; those made for it have a case that bears its number.
func TestTrapsAreAllTold(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the native run reads the sources")
	}
	told := map[int]bool{}
	tests := map[string]map[string]string{} // by package: name of the test -> its file
	for _, e := range traps {
		if told[e.number] {
			t.Errorf("entry %d stands twice", e.number)
		}
		told[e.number] = true
		if e.tests == "" && e.note == "" {
			t.Errorf("entry %d has neither tests nor a reason", e.number)
		}
		numbered, own := false, false
		for _, name := range strings.Fields(e.tests) {
			if strings.HasSuffix(name, ".ts") {
				if _, err := os.Stat(filepath.Join(root(t), filepath.FromSlash(name))); err != nil {
					t.Errorf("entry %d: %v", e.number, err)
				}
				continue
			}
			pkg, test, ok := strings.Cut(name, ".")
			if !ok {
				pkg, test = "session", name
			}
			if tests[pkg] == nil {
				tests[pkg] = testsOf(t, pkg)
			}
			file := tests[pkg][test]
			if file == "" {
				t.Errorf("entry %d: there is no test %s", e.number, name)
			}
			if strings.HasPrefix(name, "TestTrap") && file != "" {
				own = true
				numbered = numbered || slices.Contains(numbersIn(t, file), e.number)
			}
		}
		if own && !numbered {
			t.Errorf("entry %d: no case of %s bears its number", e.number, e.tests)
		}
	}
	for n := 1; n <= highestTrap; n++ {
		if told[n] == slices.Contains(notInList, n) {
			t.Errorf("entry %d: told is %v", n, told[n])
		}
	}
}

// testsOf maps the tests of a package to the files they stand in.
func testsOf(t *testing.T, pkg string) map[string]string {
	t.Helper()
	dir := filepath.Join(root(t), "decoder", pkg)
	if pkg == "decoder" {
		dir = filepath.Join(root(t), pkg)
	}
	list := map[string]string{}
	files, err := fs.Glob(os.DirFS(dir), "*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", dir, err)
	}
	for _, name := range files {
		file := filepath.Join(dir, name)
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
				list[fn.Name.Name] = file
			}
		}
	}
	return list
}

// numbersOfCase are the numbers that the name of a case, or what is said when it fails, starts with.
var numbersOfCase = regexp.MustCompile(`(?:^|%s: )((?:[1-9][0-9]*, )*[1-9][0-9]*)(?:[: ]|$)`)

// numbersIn returns the numbers of all cases in a file.
func numbersIn(t *testing.T, file string) (numbers []int) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			s, _ := strconv.Unquote(lit.Value)
			if m := numbersOfCase.FindStringSubmatch(s); m != nil {
				for _, x := range strings.Split(m[1], ", ") {
					k, _ := strconv.Atoi(x)
					numbers = append(numbers, k)
				}
			}
		}
		return true
	})
	return numbers
}
