import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createLogger } from '@portcullis/runtime';
import { type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AcquireOptions, acquireTrivy } from './acquire.ts';
import { archiveName } from './release.ts';

let dir: TemporaryDir;
beforeEach(async () => {
  dir = await temporaryDir();
});
afterEach(() => dir.remove());

async function program(path: string, script: string): Promise<string> {
  const file = join(dir.path, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

function trivy(path: string, version: string): Promise<string> {
  return program(path, `echo "Version: ${version}"`);
}

function acquire(options: Partial<AcquireOptions> = {}) {
  return acquireTrivy({
    cacheDir: join(dir.path, 'cache'),
    log: createLogger({ name: 'test', level: 'silent' }),
    env: { PATH: `${join(dir.path, 'bin')}:/usr/bin:/bin` },
    goBinary: '/nonexistent/go',
    releases: null,
    ...options,
  });
}

describe('the scanner is', () => {
  it('the configured one', async () => {
    const path = await trivy('given', '0.71.0');
    expect(await acquire({ trivyPath: path })).toEqual({ path, version: '0.71.0', how: 'given' });
  });

  it.each([
    ['0.69.5', /intruder/],
    ['0.60.0', /too old/],
    ['dev', /does not run as Trivy/],
  ])('never %s, even if configured', async (version, message) => {
    const trivyPath = await trivy('given', version);
    await expect(acquire({ trivyPath })).rejects.toMatchObject({ code: 'SCANNER_UNAVAILABLE' });
    await expect(acquire({ trivyPath })).rejects.toThrow(message);
  });

  it('the one on PATH, unless it is refused', async () => {
    await trivy('bin/trivy', '0.69.4');
    const cached = await trivy('cache/trivy/0.74.0/trivy', '0.74.0');
    expect(await acquire()).toMatchObject({ path: cached, how: 'cached' });
    const path = await trivy('bin/trivy', '0.70.0');
    expect(await acquire()).toMatchObject({ path, how: 'path' });
  });

  it('built once, for all concurrent callers', async () => {
    const go = await program(
      'go/go',
      `[ "$1" = version ] && { echo "go version go1.26.3 linux/amd64"; exit; }
echo built >> ${join(dir.path, 'builds')}
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho Version: 0.74.0\\n' > "$2"`,
    );
    const all = await Promise.all([1, 2, 3].map(() => acquire({ goBinary: go })));
    expect(all.map(({ how }) => how).sort()).toEqual(['built', 'cached', 'cached']);
    expect(await readFile(join(dir.path, 'builds'), 'utf8')).toBe('built\n');
  });

  it('O3: built with a downloaded Go where neither Go nor the releases are available', async () => {
    const go = await program(
      'fetched/go',
      `while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho Version: 0.74.0\\n' > "$2"; echo "$GOPATH" > ${join(dir.path, 'gopath')}`,
    );
    const asked: boolean[] = [];
    const fetchGo: AcquireOptions['fetchGo'] = async (accepts) => {
      asked.push(
        accepts('go version go1.26.8 linux/amd64'),
        accepts('go version go1.27.0 linux/amd64'),
      );
      return { path: go, env: { GOPATH: '/cache/go' } };
    };
    expect(await acquire({ fetchGo, releases: 'http://127.0.0.1:1' })).toMatchObject({
      how: 'built',
    });
    expect(await readFile(join(dir.path, 'gopath'), 'utf8')).toBe('/cache/go\n');
    expect(asked).toEqual([true, false]);
  });

  it('O3: an error with all reasons where Go cannot be downloaded either', async () => {
    const fetchGo = async () => Promise.reject(new Error('the module proxy answered 404'));
    await expect(acquire({ fetchGo, releases: 'http://127.0.0.1:1' })).rejects.toThrow(
      /127\.0\.0\.1:1 can't be reached.*the module proxy answered 404/,
    );
  });

  it('not an incomplete build', async () => {
    const go = await program(
      'go/go',
      `[ "$1" = version ] && { echo "go version go1.26.3 linux/amd64"; exit; }
while [ "$1" != -o ]; do shift; done
echo half > "$2"; echo "link: killed" >&2; exit 1`,
    );
    await expect(acquire({ goBinary: go })).rejects.toThrow(
      /could not be built: link: killed.*TRIVY_PATH/,
    );
    await expect(stat(join(dir.path, 'cache/trivy/0.74.0/trivy'))).rejects.toThrow('ENOENT');
  });

  it('not built by a compiler that is too old', async () => {
    const go = await program('go/go', 'echo "go version go1.27.0 linux/amd64"');
    await expect(acquire({ goBinary: go })).rejects.toThrow(/there is no scanner; install Trivy/);
  });

  it('stops being acquired when aborted', async () => {
    const reason = new Error('stop');
    await expect(acquire({ signal: AbortSignal.abort(reason) })).rejects.toThrow('stop');
  });
});

describe('a release', () => {
  async function serving<T>(
    sum: (archive: Buffer) => string,
    use: (url: string) => Promise<T>,
  ): Promise<T> {
    await trivy('release/trivy', '0.74.0');
    const archive = execFileSync('tar', ['-czf', '-', '-C', join(dir.path, 'release'), 'trivy']);
    const name = archiveName(process.platform, process.arch) ?? '';
    const server = createServer((request, response) => {
      if (request.url === `/v0.74.0/${name}`) response.end(archive);
      else if (request.url?.endsWith('_checksums.txt')) response.end(`${sum(archive)}  ${name}\n`);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      return await use(`http://127.0.0.1:${port}`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  it('is downloaded and checked', async () => {
    const { how, path } = await serving(sha256, (releases) => acquire({ releases }));
    expect(how).toBe('downloaded');
    expect(path).toBe(join(dir.path, 'cache/trivy/0.74.0/trivy'));
  });

  it('with a wrong checksum is deleted', async () => {
    const acquiring = serving(
      () => '0'.repeat(64),
      (releases) => acquire({ releases }),
    );
    await expect(acquiring).rejects.toThrow(/checksum of the download is wrong/);
    await expect(stat(join(dir.path, 'cache/trivy/0.74.0/trivy'))).rejects.toThrow('ENOENT');
  });

  it('that does not exist is reported as such', async () => {
    await expect(acquire({ releases: 'http://127.0.0.1:1' })).rejects.toThrow(
      /127\.0\.0\.1:1 can't be reached/,
    );
  });
});
