import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashName, packNames } from '../rematch/package-names.ts';
import type { ScannedImage } from '../rematch/scanned-image.ts';
import { BboltDamaged } from './bbolt.ts';
import { compareDatabases } from './compare-databases.ts';
import { changesOf, concernsNothing } from './database-changes.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixture-db');
const NOW = join(FIXTURES, 'db', 'trivy.db');
const EARLIER = join(FIXTURES, 'db-earlier', 'trivy.db');

let dir: TemporaryDir;

beforeAll(async () => {
  dir = await temporaryDir();
});
afterAll(() => dir.remove());

async function changed(older: string, newer: string): Promise<string[]> {
  const found: string[] = [];
  await compareDatabases(older, newer, (bucket, name) => found.push(`${bucket}: ${name}`));
  return found.sort();
}

/** The fixture with another text of the same length; pages of data have no checksum. */
async function edited(from: string, to: string): Promise<string> {
  expect(Buffer.byteLength(to)).toBe(Buffer.byteLength(from));
  const text = (await readFile(NOW)).toString('latin1');
  expect(text).toContain(from);
  const bytes = Buffer.from(text.replaceAll(from, to), 'latin1');
  const path = join(dir.path, `${crypto.randomUUID()}.db`);
  await writeFile(path, bytes);
  return path;
}

describe('the packages that changed between two databases', () => {
  it('are none between equal ones', async () => {
    expect(await changed(NOW, NOW)).toEqual([]);
  });

  it('are those with a new advisory, and with a removed one', async () => {
    expect(await changed(EARLIER, NOW)).toEqual(['debian 12: sudo']);
    expect(await changed(NOW, EARLIER)).toEqual(['debian 12: sudo']);
  });

  it.each<[string, [string, string], string[]]>([
    ['another fixed version', ['3.0.13-1', '3.0.14-1'], ['debian 12: openssl']],
    ['a detail with another score', ['"V3Score":9.8', '"V3Score":9.7'], ['debian 12: openssl']],
  ])('are found by %s', async (_, [from, to], expected) => {
    expect(await changed(NOW, await edited(from, to))).toEqual(expected);
  });

  it('are not those whose detail changed in what no report contains', async () => {
    const bytes = (await readFile(NOW)).toString('latin1');
    const [description = ''] = /"Description":"[^"]{8}/.exec(bytes) ?? [];
    expect(description).not.toBe('');
    const other = `${description.slice(0, -8)}another.`;
    expect(await changed(NOW, await edited(description, other))).toEqual([]);
  });

  it('are all of a bucket whose data source changed', async () => {
    const bytes = (await readFile(NOW)).toString('latin1');
    const [name = ''] = /"Name":"[^"]{5,}"/.exec(bytes) ?? [];
    expect(name).not.toBe('');
    const found = await changed(NOW, await edited(name, name.replace(/.{3}"$/, 'xyz"')));
    expect(found).toEqual(['alpine 3.16: null', 'alpine 3.22: null']);
  });

  it('are all of a release that is new, and of one that is gone', async () => {
    const other = await edited('alpine 3.22', 'alpine 3.23');
    expect(new Set(await changed(NOW, other))).toEqual(
      new Set(['alpine 3.22: null', 'alpine 3.23: null']),
    );
  });

  it('are unknown where a file is damaged', async () => {
    const path = join(dir.path, 'damaged.db');
    const bytes = await readFile(NOW);
    for (let page = 2; page < bytes.length / 4096; page++)
      bytes.fill(0xff, page * 4096 + 16, page * 4096 + 64);
    await writeFile(path, bytes);
    await expect(changed(NOW, path)).rejects.toThrow(BboltDamaged);
    await writeFile(path, 'no database');
    await expect(changed(NOW, path)).rejects.toThrow(BboltDamaged);
  });
});

function image(os: { family: string; name: string } | null): ScannedImage {
  const key = `fanal::blob::sha256:${'0'.repeat(64)}`;
  return {
    unseen: [],
    parts: [
      {
        digest: 'd',
        platform: null,
        artifact: key,
        layers: [],
        hasOs: true,
        unverified: [],
        isIndexed: false,
        unjudged: [],
        baseLayers: [],
        log: { alpineRepository: '', offEolList: false },
        archives: null,
        os: os && { ...os, eosl: false, extended: false },
      },
    ],
  };
}

const DEBIAN = image({ family: 'debian', name: '12.5' });
const PACKAGES = packNames(
  Uint32Array.from([
    hashName('os', 'openssl'),
    hashName('os', 'npm'),
    hashName('npm', 'lodash'),
    hashName('pip', 'Django_Rest'),
  ]),
);

describe('an image with openssl, npm and lodash on Debian 12', () => {
  it.each<[string, [string, string | null][], boolean]>([
    ['nothing', [], false],
    ['its package', [['debian 12', 'openssl']], true],
    ['another package of its release', [['debian 12', 'curl']], false],
    ['its package in another release', [['debian 13', 'openssl']], false],
    ['its package in a bucket of a vendor', [['root.io debian 12', 'openssl']], true],
    ['another package in a bucket of a vendor', [['root.io debian 12', 'curl']], false],
    ['a whole bucket of a vendor', [['rapidfort', null]], true],
    ['its whole release', [['debian 12', null]], true],
    ['a library of its ecosystem', [['npm::GitHub Security Advisory npm', 'lodash']], true],
    ['a library of that name in another one', [['go::Go Vulnerability Database', 'lodash']], false],
    ['a library in another spelling', [['pip::OSV', 'django-rest']], true],
    ['its library in a bucket of a vendor', [['seal npm::Seal', 'lodash']], true],
    ['all libraries of its ecosystem', [['npm::new source', null]], true],
    ['a package of a module', [['debian 12', 'nodejs:18::npm']], true],
  ])('has to be compared again where %s changed: %#', (_, calls, expected) => {
    const found = changesOf();
    for (const call of calls) found.add(...call);
    expect(concernsNothing(found.changes, DEBIAN, PACKAGES)).toBe(!expected);
  });

  it('has to be compared where its packages or its release are unknown', () => {
    const { changes } = changesOf();
    expect(concernsNothing(changes, DEBIAN, null)).toBe(false);
    expect(concernsNothing(changes, image({ family: 'other', name: '1' }), PACKAGES)).toBe(false);
    expect(concernsNothing(changes, image(null), PACKAGES)).toBe(true);
  });
});
