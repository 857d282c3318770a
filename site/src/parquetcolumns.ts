// What columns a Parquet file has for the titles of a CSV, and how a field becomes a value of one. What a type of Parquet
// cannot hold is kept as the text that the CSV has: dates and times, because 0000-00-00 is one; decimals of more than 38 digits.
import type { SchemaElement } from "hyparquet-writer";
import type { Field } from "./csvread.ts";

export type Value = string | number | bigint | Uint8Array | null;

export interface ParquetColumn {
  element: SchemaElement;
  value(field: Field): Value;
}

/** The columns that every such CSV begins with. */
const FIXED: Readonly<Record<string, ParquetColumn>> = {
  _op: text("_op"),
  _image: text("_image"),
  _time: { element: { name: "_time", repetition_type: "OPTIONAL", type: "INT64", converted_type: "TIMESTAMP_MILLIS" }, value: present(time) },
  _gtid: text("_gtid"),
  _ordinal: number("_ordinal", "INT64"),
  _offset: number("_offset", "INT64"),
  _row: number("_row", "INT32"),
  _absent: text("_absent"),
};

/** The column of a title: "_op", "id:int unsigned". */
export function columnOf(title: string): ParquetColumn {
  const fixed = FIXED[title];
  if (fixed) return fixed;
  const colon = title.lastIndexOf(":"); // a name may have colons, a type has none
  const [name, type] = [title.slice(0, colon), title.slice(colon + 1)];
  const [, word = "", args = "", rest = ""] = /^([\w/]+)(?:\(([^)]*)\))?(.*)$/.exec(type) ?? [];
  switch (word) {
    case "tinyint":
    case "smallint":
    case "mediumint":
    case "year":
      return number(name, "INT32");
    case "int":
      return number(name, rest.includes("unsigned") ? "INT64" : "INT32");
    case "bigint":
      return rest.includes("unsigned") ? number(name, "INT64", "UINT_64") : number(name, "INT64");
    case "float":
      return number(name, "FLOAT");
    case "double":
      return number(name, "DOUBLE");
    case "decimal":
      return decimal(name, args);
    case "binary":
    case "varbinary":
    case "tinyblob":
    case "blob":
    case "mediumblob":
    case "longblob":
      return bytes(name);
    default:
      return text(name);
  }
}

/** NULL stays NULL. */
function present(f: (field: string) => Value): (field: Field) => Value {
  return (field) => (field === null ? null : f(field));
}

function text(name: string): ParquetColumn {
  return { element: { name, repetition_type: "OPTIONAL", type: "BYTE_ARRAY", converted_type: "UTF8" }, value: (field) => field };
}

function number(name: string, type: "INT32" | "INT64" | "FLOAT" | "DOUBLE", converted?: "UINT_64"): ParquetColumn {
  const element: SchemaElement = { name, repetition_type: "OPTIONAL", type, ...(converted && { converted_type: converted }) };
  return { element, value: present(type === "INT64" ? BigInt : Number) };
}

function decimal(name: string, args: string): ParquetColumn {
  const [precision = 0, scale = 0] = args.split(",").map(Number);
  if (!(precision >= 1 && precision <= 38)) return text(name);
  const kind = precision <= 18 ? ({ type: "INT64" } as const) : ({ type: "FIXED_LEN_BYTE_ARRAY", type_length: 16 } as const);
  const element: SchemaElement = { name, repetition_type: "OPTIONAL", ...kind, converted_type: "DECIMAL", precision, scale };
  return { element, value: present((field) => BigInt(field.replace(".", ""))) }; // it has exactly its scale
}

function bytes(name: string): ParquetColumn {
  return { element: { name, repetition_type: "OPTIONAL", type: "BYTE_ARRAY" }, value: present(unhex) };
}

/** "0x6869" */
function unhex(field: string): Uint8Array {
  const all = new Uint8Array((field.length - 2) >> 1);
  for (let i = 0; i < all.length; i++) all[i] = parseInt(field.slice(2 + 2 * i, 4 + 2 * i), 16);
  return all;
}

/** "2026-01-31 14:03:07", UTC, in milliseconds since 1970. */
function time(field: string): Value {
  const ms = Date.parse(`${field.replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? null : BigInt(ms); // an event without a time
}
