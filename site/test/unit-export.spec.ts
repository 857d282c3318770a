// What needs no browser of the exports: CSV, the columns of Parquet, names of files.
import { expect, test } from "@playwright/test";
import { CsvReader, type Field } from "../src/csvread.ts";
import { fileName } from "../src/exporting.ts";
import { columnOf, type Value } from "../src/parquetcolumns.ts";

test.describe("CSV", () => {
  const cases: [text: string, lines: Field[][]][] = [
    ["a,b\r\n", [["a", "b"]]],
    ["a,,c\r\n", [["a", null, "c"]]],
    [',""\r\n', [[null, ""]]],
    ['"a,b","c\r\nd","e""f",""""\r\n', [["a,b", "c\r\nd", 'e"f', '"']]],
    ['1,"2"\r\n,\r\n', [["1", "2"], [null, null]]],
    ['"ü🐬 "\r\n', [["ü🐬 "]]],
  ];
  for (const [text, want] of cases) {
    test(JSON.stringify(text), () => {
      expect(new CsvReader().push(text)).toEqual(want);
      for (let cut = 0; cut <= text.length; cut++) {
        const reader = new CsvReader();
        expect([...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))], `cut at ${cut}`).toEqual(want);
        expect(reader.empty).toBe(true);
      }
    });
  }
  for (const text of ["a", "a,b\r", '"a', '"a"', '"a""\r\n']) {
    test(`${JSON.stringify(text)} is no whole line`, () => {
      const reader = new CsvReader();
      expect(reader.push(text)).toEqual([]);
      expect(reader.empty).toBe(false);
    });
  }
});

test("columns of Parquet by the titles of the CSV", () => {
  const cases: [title: string, type: string, field: string, value: Value][] = [
    ["_time", "INT64 TIMESTAMP_MILLIS", "2026-01-31 14:03:07", 1_769_868_187_000n],
    ["_ordinal", "INT64", "9007199254740993", 9007199254740993n],
    ["_absent", "BYTE_ARRAY UTF8", "a b", "a b"],
    ["id:tinyint unsigned", "INT32", "255", 255],
    ["id:int", "INT32", "-2147483648", -2147483648],
    ["id:int unsigned", "INT64", "4294967295", 4294967295n],
    ["id:bigint", "INT64", "-9223372036854775808", -9223372036854775808n],
    ["id:bigint unsigned", "INT64 UINT_64", "18446744073709551615", 18446744073709551615n],
    ["y:year", "INT32", "0000", 0],
    ["f:float", "FLOAT", "1.5e10", 1.5e10],
    ["d:double", "DOUBLE", "-0.1", -0.1],
    ["d:decimal(18,2)", "INT64 DECIMAL", "-0.10", -10n],
    ["d:decimal(38,0)", "FIXED_LEN_BYTE_ARRAY DECIMAL", "99999999999999999999999999999999999999", 10n ** 38n - 1n],
    ["d:decimal(65,30)", "BYTE_ARRAY UTF8", "1.000000000000000000000000000001", "1.000000000000000000000000000001"],
    ["d:date", "BYTE_ARRAY UTF8", "0000-00-00", "0000-00-00"],
    ["t:timestamp(6)", "BYTE_ARRAY UTF8", "2026-01-01 00:00:00.000001", "2026-01-01 00:00:00.000001"],
    ["b:varbinary(8)", "BYTE_ARRAY", "0x00ff", new Uint8Array([0, 255])],
    ["b:longblob", "BYTE_ARRAY", "0x", new Uint8Array(0)],
    ["b:blob/text", "BYTE_ARRAY UTF8", "0x41", "0x41"], // nobody can tell which it is
    ["a:b:varchar(400 bytes)", "BYTE_ARRAY UTF8", "x", "x"],
    ["e:enum", "BYTE_ARRAY UTF8", "red", "red"],
  ];
  for (const [title, type, field, value] of cases) {
    const { element, value: of } = columnOf(title);
    expect(element.name).toBe(title.startsWith("_") ? title : title.slice(0, title.lastIndexOf(":")));
    expect([element.type, element.converted_type].filter(Boolean).join(" "), title).toBe(type);
    expect(of(field), title).toEqual(value);
    expect(of(null), title).toBeNull();
  }
});

test("names of files follow the log's", () => {
  expect(fileName("mysql-bin.000123", "undo", "")).toBe("mysql-bin.000123.undo.sql");
  expect(fileName("mysql-bin.000123", "csv", "shop.orders")).toBe("mysql-bin.000123.shop.orders.csv");
  expect(fileName("x", "parquet", "a.b/../c:d é")).toBe("x.a.b_.._c_d_é.parquet");
});
