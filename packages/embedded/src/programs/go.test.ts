import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { acquireGo, isRecentGo, moduleSum, proxiesOf } from './go.ts';

it.each([
  ['go version go1.26.3 linux/amd64', true],
  ['go version go1.26.10 linux/arm64', true],
  ['go version go1.27 linux/amd64', true],
  ['go version go1.26.2 linux/amd64', false],
  ['go version go1.19.8 linux/amd64', false],
  ['go version devel linux/amd64', false],
  ['', false],
])('O3: whether %j is recent enough: %s', (version, is) => {
  expect(isRecentGo(version)).toBe(is);
});

it.each([
  [undefined, ['https://proxy.golang.org']],
  ['direct', ['https://proxy.golang.org']],
  ['off', []],
  ['https://a.example/go/,https://b.example|direct', ['https://a.example/go', 'https://b.example']],
])('GOPROXY %j names the servers %j', (given, servers) => {
  expect(proxiesOf(given)).toEqual(servers);
});

it('the hash of a module is the one that go.sum has', async () => {
  await using dir = await temporaryDir();
  const module = join(dir.path, 'rsc.io', 'quote@v1.5.2', 'buggy');
  await mkdir(module, { recursive: true });
  await writeFile(join(module, '..', 'go.mod'), 'module x\n');
  await writeFile(join(module, 'b.go'), 'package b\n');
  // Computed by golang.org/x/mod/sumdb/dirhash for the same files.
  expect(await moduleSum(dir.path)).toBe('h1:MRAVewVPEGxkJ/IVkEiZfPoaqLaQgxelIxEe1LBIhqw=');
});

it('O3: a machine without Go that may not use a module proxy gets an error', async () => {
  await using dir = await temporaryDir();
  const acquiring = acquireGo({
    cacheDir: dir.path,
    env: { PATH: '/nonexistent', GOPROXY: 'off' },
  });
  await expect(acquiring).rejects.toMatchObject({
    code: 'GO_MISSING',
    message: /could not be fetched: GOPROXY is off/,
  });
});
