import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { expect, it } from 'vitest';
import { readArchive, textOf } from './archive-reader.ts';
import { writeArchive } from './archive-writer.ts';
import { ENTRIES, LIMITS, sizeInChecksums } from './manifest.ts';

const FILES = ['registry/a', 'registry/b', 'registry/c'];

async function namesIn(archive: Readable, limits = LIMITS): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, content } of readArchive(archive, limits)) {
    await textOf(content);
    names.push(name);
  }
  return names;
}

async function written(limits = LIMITS): Promise<Buffer> {
  const to = new PassThrough();
  const [bytes] = await Promise.all([
    buffer(to),
    writeArchive(
      to,
      async (archive) => {
        for (const name of FILES) await archive.json(name, 'text');
      },
      limits,
    ),
  ]);
  return bytes;
}

/** An archive that never gets past the header of its first entry. */
async function headerOf(name: string, size: number): Promise<Readable> {
  const tar = pack();
  const header = once(tar, 'data');
  tar.entry({ name, size });
  const from = new PassThrough();
  from.write((await header)[0]);
  return from;
}

it.each(Object.entries(LIMITS.entries))(
  '%s of more than %i bytes is refused before its content is read',
  async (name, limit) => {
    await expect(namesIn(await headerOf(name, limit + 1))).rejects.toMatchObject({
      code: 'BACKUP_DAMAGED',
      message: `the backup can not be used: ${name} is larger than ${limit} bytes`,
    });
  },
);

const size = [...FILES, ENTRIES.checksums]
  .map(sizeInChecksums)
  .reduce((sum, each) => sum + each, 0);

it('an archive whose list of files is as long as allowed is written and read', async () => {
  const limits = { ...LIMITS, checksums: size };
  const bytes = await written(limits);
  expect(await namesIn(new PassThrough().end(bytes), limits)).toEqual(FILES);
});

it('an archive with a longer list of files is neither written nor read', async () => {
  const limits = { ...LIMITS, checksums: size - 1 };
  const bytes = await written();
  await expect(namesIn(new PassThrough().end(bytes), limits)).rejects.toMatchObject({
    code: 'BACKUP_DAMAGED',
    message: expect.stringContaining('the list of its files is larger than'),
  });
  await expect(written(limits)).rejects.toMatchObject({ code: 'BACKUP_TOO_LARGE' });
});
