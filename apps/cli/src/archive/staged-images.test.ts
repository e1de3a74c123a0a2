/** Staged images of a backup whose parts do not fit together. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { linkStaged } from './staged-images.ts';

const BLOB = 'sha256/ab';

/** A draft with one blob and one file of a layout. */
async function draftIn(dir: string): Promise<string> {
  const files = { [`blobs/${BLOB}`]: 'blob', 'jobs/one/index.json': '{}' };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(dir, file)), { recursive: true });
    await writeFile(path.join(dir, file), text);
  }
  return dir;
}

it('a blob is linked into each layout that has it', async () => {
  await using dir = await temporaryDir();
  const draft = await draftIn(dir.path);
  await linkStaged(draft, { [`one/blobs/${BLOB}`]: BLOB, [`two/blobs/${BLOB}`]: BLOB });
  for (const layout of ['one', 'two'])
    expect(await readFile(path.join(draft, 'jobs', layout, 'blobs', BLOB), 'utf8')).toBe('blob');
});

it.each([
  ['a blob that the backup lacks', { 'one/blobs/sha256/cd': 'sha256/cd' }],
  ['a blob of an algorithm that the backup lacks', { 'one/blobs/sha512/ab': 'sha512/ab' }],
  ['the place of a file', { 'one/index.json': BLOB }],
  ['a place below a file', { 'one/index.json/blob': BLOB }],
  ['the place of a folder', { one: BLOB }],
  ['a place below another link', { 'one/blob': BLOB, 'one/blob/blob': BLOB }],
])('a link to %s is found before anything is replaced', async (_, links) => {
  await using dir = await temporaryDir();
  const draft = await draftIn(dir.path);
  await expect(linkStaged(draft, links)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
});
