/**
 * The state file of the Trivy binary, DATA_DIR/trivy/scanner.json: written by the process that
 * acquires the binary (supervisor or worker), read by every process. The file is replaced
 * atomically, so that a reader never sees half of it.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';

export const BinaryState = z.object({
  state: z.enum(['acquiring', 'building', 'ready', 'unavailable']),
  path: z.string().nullable(),
  version: z.string().nullable(),
  /** Shown to people: what is happening, or what to do. */
  message: z.string(),
  at: z.iso.datetime(),
});
export type BinaryState = z.infer<typeof BinaryState>;

const ABSENT: BinaryState = {
  state: 'unavailable',
  path: null,
  version: null,
  message: 'the scanner has not been set up',
  at: new Date(0).toISOString(),
};

export async function readBinaryState(file: string): Promise<BinaryState> {
  try {
    return BinaryState.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ABSENT;
    throw error;
  }
}

export async function writeBinaryState(
  file: string,
  state: Omit<BinaryState, 'at'>,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // The draft's name is random: workers in containers have the same pid over one DATA_DIR.
  const next = `${file}.${crypto.randomUUID()}`;
  await writeFile(next, JSON.stringify({ ...state, at: new Date().toISOString() }));
  await rename(next, file);
}
