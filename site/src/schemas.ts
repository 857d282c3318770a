// Schemas that the reader gives: SQL text that names the columns of tables. They are kept for every log of the page.
import { BinlensError } from "./protocol.ts";
import type { Client } from "./client.ts";
import type { SchemaAnswer } from "./exportdata.ts";

export interface Schema {
  name: string;
  text: Uint8Array<ArrayBuffer>;
  /** What the decoder made of it; null while no log is open that it could serve. */
  answer: SchemaAnswer | null;
}

/** Bytes of a schema at most: rows of data are no part of one. */
const MOST = 64 << 20;

export function isSchemaFile(file: File): boolean {
  return /\.sql$/i.test(file.name);
}

/** Reads a file. Throws an Error that says why it cannot be one. */
export async function readSchema(file: File): Promise<Schema> {
  if (file.size > MOST) throw new Error(`${file.name} is larger than 64 MB: mysqldump --no-data writes a schema without the rows`);
  return { name: file.name, text: new Uint8Array(await file.arrayBuffer()), answer: null };
}

/** Gives schemas to the decoder in their order; a later one takes the place of an earlier one, table by table. */
export async function giveSchemas(client: Client, schemas: readonly Schema[]): Promise<Schema[]> {
  const given: Schema[] = [];
  for (const schema of schemas) {
    try {
      given.push({ ...schema, answer: await client.schema(schema.text) });
    } catch (thrown) {
      const { kind } = BinlensError.toFailure(thrown);
      if (kind !== "superseded" && kind !== "dead" && kind !== "request") throw thrown;
      return []; // another log was opened, which gets them all
    }
  }
  return given;
}
