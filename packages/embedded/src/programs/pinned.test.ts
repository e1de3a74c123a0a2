import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isAppError, unavailable } from '@portcullis/errors';
import { type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquirePinned, type PinnedOptions, type PinnedProgram } from './pinned.ts';
import { run } from './run.ts';

let dir: TemporaryDir;
let lines: string[];
beforeEach(async () => {
  dir = await temporaryDir();
  lines = [];
});
afterEach(() => dir.remove());

async function script(path: string, text: string): Promise<string> {
  const file = join(dir.path, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

const tool = (path: string, version: string) => script(path, `echo ${version}`);

/** A compiler that prints its version, and does `work` with `$target`. */
const compiler = (work: string) =>
  script(
    'bin/go',
    `[ "$1" = version ] && { echo "go version go1.26.3 linux/amd64"; exit; }
echo built >> ${join(dir.path, 'builds')}
while [ "$1" != -o ]; do shift; done
target="$2"
${work}`,
  );
const WORKS = `printf '#!/bin/sh\\necho 1.2.0\\n' > "$target"; chmod +x "$target"`;

async function check(path: string): Promise<string> {
  const version = (await run(path, []).catch(() => 'nothing')).trim();
  if (version.startsWith('1.')) return version;
  throw unavailable('SCANNER_UNAVAILABLE', `${path} is refused: ${version}`);
}

const release = (sha256 = 'unknown') => ({ url: 'tool/1.2.0/tool.tar.gz', sha256, member: 'tool' });

const program = (sha256?: string): PinnedProgram => ({
  name: 'tool',
  title: 'the tool',
  pin: '1.2.0',
  names: ['tool', 'its-other-name'],
  releases: { x64: release(sha256), arm64: release(sha256) },
  module: { dir: dir.path, command: 'example.com/tool', stamp: 'main.version=1.2.0' },
  buildTime: 'a moment',
  check,
  missing: (reasons) => unavailable('SCANNER_UNAVAILABLE', `no tool: ${reasons.join('; ')}`),
});

const acquire = (options: Partial<PinnedOptions> = {}, sha256?: string) =>
  acquirePinned(program(sha256), {
    cacheDir: join(dir.path, 'cache'),
    env: { PATH: `${join(dir.path, 'bin')}:/usr/bin:/bin`, GOPROXY: 'off' },
    log: (line) => lines.push(line),
    releases: null,
    ...options,
  });

const CACHED = 'cache/tool/1.2.0/tool';

describe('a program is', () => {
  it('the one that is configured, or none', async () => {
    const given = await tool('given', '1.1.0');
    expect(await acquire({ given })).toEqual({ path: given, version: '1.1.0', how: 'given' });
    await tool('given', '2.0.0');
    await expect(acquire({ given })).rejects.toThrow(/given is refused: 2\.0\.0/);
  });

  it('the one on PATH, by each of its names, unless it is refused, which is said', async () => {
    const cached = await tool(CACHED, '1.2.0');
    await tool('bin/tool', '2.0.0');
    expect(await acquire()).toMatchObject({ path: cached, how: 'cached' });
    expect(lines.join()).toMatch(/bin\/tool is not used: .* 2\.0\.0/);
    const other = await tool('bin/its-other-name', '1.0.0');
    expect(await acquire()).toMatchObject({ path: other, how: 'path' });
  });

  it('built once, for all concurrent callers, with nothing left but the program', async () => {
    await compiler(WORKS);
    const onBuild = vi.fn();
    const all = await Promise.all([1, 2, 3].map(() => acquire({ onBuild })));
    expect(onBuild).toHaveBeenCalledTimes(1);
    expect(all.map(({ how }) => how).sort()).toEqual(['built', 'cached', 'cached']);
    expect(await readFile(join(dir.path, 'builds'), 'utf8')).toBe('built\n');
    expect(await readdir(join(dir.path, 'cache/tool/1.2.0'))).toEqual(['tool']);
  });

  it('made again where that in the cache does not run', async () => {
    await tool(CACHED, 'half of it');
    await compiler(WORKS);
    expect(await acquire()).toMatchObject({ version: '1.2.0', how: 'built' });
  });

  it('not an incomplete build, nor one that does not run', async () => {
    await compiler(`echo half > "$target"; echo "link: killed" >&2; exit 1`);
    await expect(acquire()).rejects.toThrow(/no tool: .*link: killed/);
    await compiler(`printf '#!/bin/sh\\nexit 1\\n' > "$target"; chmod +x "$target"`);
    await expect(acquire()).rejects.toThrow(/no tool: .* is refused/);
    await expect(stat(join(dir.path, CACHED))).rejects.toThrow('ENOENT');
  });

  it('not acquired after an abort', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(acquire({ signal })).rejects.toThrow('stop');
  });
});

async function serving(
  answer: (request: IncomingMessage, reply: ServerResponse) => void,
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function archived(version = '1.2.0'): Promise<{ bytes: Buffer; sha256: string }> {
  await tool('release/tool', version);
  await writeFile(join(dir.path, 'release/README'), 'of the release');
  const bytes = execFileSync('tar', ['-cz', '-C', join(dir.path, 'release'), 'tool', 'README']);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

describe('a release', () => {
  it('is downloaded, and nothing is built', async () => {
    await compiler(WORKS);
    const { bytes, sha256 } = await archived();
    await using server = await serving((request, reply) =>
      request.url === '/tool/1.2.0/tool.tar.gz' ? reply.end(bytes) : reply.writeHead(404).end(),
    );
    const onBuild = vi.fn();
    const found = await acquire({ releases: `${server.url}/`, onBuild }, sha256);
    expect(onBuild).not.toHaveBeenCalled();
    expect(found).toEqual({ path: join(dir.path, CACHED), version: '1.2.0', how: 'downloaded' });
    await expect(stat(join(dir.path, 'builds'))).rejects.toThrow('ENOENT');
    expect(await readdir(join(dir.path, 'cache/downloads'))).toEqual([]);
  });

  it.each<[string, RegExp, (bytes: Buffer) => [number, Buffer]]>([
    ['other bytes', /sent other bytes than the pinned ones/, () => [200, Buffer.from('other')]],
    ['an error', /can't be used \(it answered 503\)/, () => [503, Buffer.alloc(0)]],
    ['more than the archive', /other bytes/, (bytes) => [200, Buffer.concat([bytes, bytes])]],
  ])(
    'of which the server sends %s is not taken, and the program is built',
    async (_, why, sent) => {
      const { bytes, sha256 } = await archived();
      await using server = await serving((_request, reply) => {
        const [status, body] = sent(bytes);
        reply.writeHead(status).end(body);
      });
      await expect(acquire({ releases: server.url }, sha256)).rejects.toThrow(why);
      await compiler(WORKS);
      expect(await acquire({ releases: server.url }, sha256)).toMatchObject({ how: 'built' });
      expect(lines).toContainEqual(expect.stringMatching(/^the tool is built instead: /));
    },
  );

  it('that can not be reached is named beside why nothing can be built', async () => {
    await expect(acquire({ releases: 'http://127.0.0.1:1' }, 'x')).rejects.toThrow(
      /no tool: 127\.0\.0\.1:1 can't be used .*; Go 1\.26\.3 .*GOPROXY is off/,
    );
  });

  it('that is itself refused is not taken', async () => {
    const { bytes, sha256 } = await archived('2.0.0');
    await using server = await serving((_request, reply) => reply.end(bytes));
    await expect(acquire({ releases: server.url }, sha256)).rejects.toThrow(/is refused: 2\.0\.0/);
  });

  it('goes on where an aborted download ended', async () => {
    const { bytes, sha256 } = await archived();
    const half = Math.floor(bytes.length / 2);
    const ranges: (string | undefined)[] = [];
    const stop = new AbortController();
    await using server = await serving((request, reply) => {
      ranges.push(request.headers.range);
      if (request.headers.range === undefined) reply.write(bytes.subarray(0, half));
      else reply.writeHead(206).end(bytes.subarray(half));
    });
    const partial = join(dir.path, `cache/downloads/${sha256}.tar.gz`);
    const begun = acquire({ releases: server.url, signal: stop.signal }, sha256);
    await expect.poll(async () => (await stat(partial).catch(() => null))?.size).toBe(half);
    stop.abort(new Error('stop'));
    await expect(begun).rejects.toThrow('stop');
    expect(await acquire({ releases: server.url }, sha256)).toMatchObject({ how: 'downloaded' });
    expect(ranges).toEqual([undefined, `bytes=${half}-`]);
  });

  it('of a server that is silent does not hold up the build', async () => {
    await compiler(WORKS);
    await using server = await serving(() => {});
    expect(await acquire({ releases: server.url }, 'x')).toMatchObject({ how: 'built' });
  });
});

it('a build waits until the processor is free', async () => {
  await compiler(WORKS);
  const free = Promise.withResolvers<void>();
  const begun = acquire({ mayBuild: free.promise });
  await expect.poll(() => readdir(join(dir.path, 'cache/tool')).catch(() => [])).not.toEqual([]);
  await expect(stat(join(dir.path, 'builds'))).rejects.toThrow('ENOENT');
  free.resolve();
  expect(await begun).toMatchObject({ how: 'built' });
});

it('what the processor was busy with may have failed before a build looks at it', async () => {
  await compiler(WORKS);
  const failed = Promise.reject(new Error('what was built first failed'));
  expect(await acquire({ mayBuild: failed })).toMatchObject({ how: 'built' });
});

it('the errors are the program’s own', async () => {
  const fault = await acquire().catch((error: unknown) => error);
  expect(isAppError(fault) && fault.code).toBe('SCANNER_UNAVAILABLE');
});
