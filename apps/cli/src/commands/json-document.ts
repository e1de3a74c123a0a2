/** Reads a JSON document of at most 1 MiB that a command is given as a file. */
import { readFile, stat } from 'node:fs/promises';
import { invalid, tooLarge } from '@portcullis/errors';
import type { z } from 'zod';

const MAX_BYTES = 1024 * 1024;

export interface DocumentKind {
  /** Of a document that is not one, and of one that is too large. */
  codes: { invalid: string; large: string };
  /** As in `file is …`. */
  fault: string;
}

/** @throws invalid with every wrong field; too_large */
export async function readDocument<S extends z.ZodType>(
  file: string,
  schema: S,
  { codes, fault }: DocumentKind,
): Promise<z.output<S>> {
  if ((await stat(file)).size > MAX_BYTES)
    throw tooLarge(codes.large, `${file} is larger than 1 MiB`);
  const parsed = schema.safeParse(jsonOf(file, await readFile(file, 'utf8'), codes.invalid));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path: field, message }) => `${field.join('.') || 'the document'}: ${message}`,
  );
  throw invalid(codes.invalid, `${file} ${fault}: ${faults.join('; ')}`);
}

function jsonOf(file: string, text: string, code: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(code, `${file} is not JSON`);
  }
}
