/** Writes an RPM database (rpmdb.sqlite): a table of package headers in RPM's binary format. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDir } from '../temporary.ts';

export interface RpmPackage {
  name: string;
  version: string;
  release: string;
  vendor: string;
  /** Absolute paths of its files. */
  files: string[];
}

export async function rpmDatabase(packages: readonly RpmPackage[]): Promise<Buffer> {
  const dir = await temporaryDir();
  try {
    const file = join(dir.path, 'rpmdb.sqlite');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)');
    const insert = database.prepare('INSERT INTO Packages (blob) VALUES (?)');
    for (const each of packages) insert.run(headerOf(each));
    database.close();
    return await readFile(file);
  } finally {
    await dir.remove();
  }
}

const IMMUTABLE = 63;
const [INT32, STRING, BINARY, STRINGS] = [4, 6, 7, 8];
const ENTRY = 16;

interface Field {
  tag: number;
  type: number;
  count: number;
  bytes: Buffer;
}

function headerOf({ name, version, release, vendor, files }: RpmPackage): Buffer {
  const directories = files.map((file) => file.slice(0, file.lastIndexOf('/') + 1));
  const text = (tag: number, value: string) => strings(tag, STRING, [value]);
  return immutable([
    // First, because integers are aligned.
    { tag: 1116, type: INT32, count: files.length, bytes: int32s(files.map((_, at) => at)) },
    text(1000, name),
    text(1001, version),
    text(1002, release),
    text(1011, vendor),
    text(1022, 'x86_64'),
    strings(
      1117,
      STRINGS,
      files.map((file) => file.slice(file.lastIndexOf('/') + 1)),
    ),
    strings(1118, STRINGS, directories),
  ]);
}

function strings(tag: number, type: number, values: readonly string[]): Field {
  const bytes = Buffer.from(values.map((value) => `${value}\0`).join(''));
  return { tag, type, count: values.length, bytes };
}

/** The index of a header, its data, and the trailer of the region that covers both. */
function immutable(fields: readonly Field[]): Buffer {
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { tag, type, count, bytes } of fields) {
    entries.push(int32s([tag, type, offset, count]));
    offset += bytes.length;
  }
  const number = fields.length + 1;
  return Buffer.concat([
    int32s([number, offset + ENTRY]),
    int32s([IMMUTABLE, BINARY, offset, ENTRY]),
    ...entries,
    ...fields.map(({ bytes }) => bytes),
    int32s([IMMUTABLE, BINARY, -number * ENTRY, ENTRY]),
  ]);
}

function int32s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeInt32BE(value, at * 4);
  return bytes;
}
