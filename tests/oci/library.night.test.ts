/**
 * `@portcullis/oci` as other projects use it: packed, built, and with the code of its README and
 * examples.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { copy } from '@portcullis/oci';
import { openBlobCache, openLayout } from '@portcullis/oci/layout';
import { createTransport, openRepository } from '@portcullis/oci/remote';
import {
  buildImage,
  buildIndex,
  pushImage,
  startRegistry,
  type TemporaryDir,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PACKAGE = path.resolve(import.meta.dirname, '../../packages/oci');
const EXAMPLES = path.join(PACKAGE, 'examples');
const run = promisify(execFile);

let registry: TestRegistry;
let dir: TemporaryDir;
let index: ReturnType<typeof buildIndex>;
/** A project that has installed the packed package. */
let project: string;

beforeAll(async () => {
  [registry, dir] = await Promise.all([startRegistry(), temporaryDir()]);
  const platforms = ['linux/amd64', 'linux/arm64'];
  index = buildIndex(
    await Promise.all(
      platforms.map((platform) => buildImage({ layers: [{ platform }], platform })),
    ),
  );
  await pushImage(`http://${registry.host}`, 'team/app', '1.0', index);
  project = await installed(dir.path);
});
afterAll(async () => {
  await Promise.all([registry.stop(), dir.remove()]);
});

async function installed(root: string): Promise<string> {
  await run(process.execPath, [path.join('scripts', 'build.ts')], { cwd: PACKAGE });
  const { stdout } = await run('npm', ['pack', './build', '--pack-destination', root], {
    cwd: PACKAGE,
  });
  const modules = path.join(root, 'node_modules');
  const unpacked = path.join(modules, '@portcullis/oci');
  await mkdir(unpacked, { recursive: true });
  const tarball = path.join(root, stdout.trim());
  await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  for (const name of await readdir(path.join(PACKAGE, 'node_modules')))
    if (!name.startsWith('.') && !name.startsWith('@'))
      await symlink(path.join(PACKAGE, 'node_modules', name), path.join(modules, name));
  await writeFile(path.join(root, 'package.json'), JSON.stringify({ type: 'module' }));
  return root;
}

async function node(script: string, ...args: string[]): Promise<string> {
  return (await run(process.execPath, [script, ...args], { cwd: project })).stdout;
}

describe('the packed package', () => {
  it('contains JavaScript and declarations for each entry, and no source', async () => {
    const built = path.join(project, 'node_modules/@portcullis/oci');
    const { exports, dependencies } = JSON.parse(
      await readFile(path.join(built, 'package.json'), 'utf8'),
    );
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@portcullis'))).toEqual([]);
    for (const files of Object.values<Record<string, string>>(exports))
      for (const file of Object.values(files))
        expect((await readFile(path.join(built, file))).length).toBeGreaterThan(0);
    const files = await readdir(built, { recursive: true });
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  it('is imported by plain Node, with every entry', async () => {
    const script = path.join(project, 'entries.js');
    const entries = ['', '/errors', '/remote', '/layout', '/memory', '/verified'];
    const imports = [...entries, '/target-contract'].map(
      (entry) => `console.log(Object.keys(await import('@portcullis/oci${entry}')).length > 0);`,
    );
    await writeFile(script, imports.join('\n'));
    expect((await node(script)).trim().split('\n')).toEqual(imports.map(() => 'true'));
  });

  it('type-checks in another project', async () => {
    await writeFile(
      path.join(project, 'use.ts'),
      "import { copy, type Source, type Target } from '@portcullis/oci';\n" +
        'export const pull = (source: Source, target: Target): Promise<{ bytesMoved: number }> =>\n' +
        "  copy(source, 'latest', target);\n",
    );
    const tsc = path.resolve(PACKAGE, '../../node_modules/.bin/tsc');
    const types = path.resolve(PACKAGE, '../../node_modules/@types');
    const options = ['--module', 'nodenext', '--target', 'es2024', '--strict', '--noEmit'];
    await run(tsc, [...options, '--types', 'node', '--typeRoots', types, 'use.ts'], {
      cwd: project,
    });
  });
});

describe('the README', () => {
  it('contains examples that run against a registry', async () => {
    const readme = await readFile(path.join(PACKAGE, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    expect(blocks.length).toBeGreaterThanOrEqual(8);
    for (const [nth, code] of blocks.entries()) {
      const script = path.join(project, `readme-${nth}.ts`);
      await writeFile(script, code.replaceAll('registry.example.com', registry.host));
      await node(script);
    }
    const transport = createTransport();
    const mirrored = openRepository({ host: registry.host, repository: 'mirror/app', transport });
    expect((await mirrored.resolve('1.0')).digest).toBe(index.digest);
    transport.close();
  });
});

describe('the example', () => {
  const app = () => `${registry.host}/team/app:1.0`;
  const example = (name: string, ...args: string[]) =>
    run(process.execPath, [path.join(EXAMPLES, name), ...args]).then(({ stdout }) => stdout);

  it('mirror copies the image, and nothing the second time', async () => {
    const target = `${registry.host}/mirror/example:1.0`;
    expect(await example('mirror.ts', app(), target)).toContain(index.digest);
    expect(await example('mirror.ts', app(), target)).toContain(' 0 bytes transferred');
  });

  it('retag adds another tag to the image', async () => {
    expect(await example('retag.ts', app(), 'stable')).toContain(index.digest);
    const stable = `${registry.host}/team/app:stable`;
    expect(await example('inspect.ts', stable)).toContain(index.digest);
  });

  it('inspect lists platforms and layers', async () => {
    const listed = await example('inspect.ts', app());
    for (const text of [
      'linux/amd64',
      'linux/arm64',
      index.children[0]?.blobs[1]?.descriptor.digest,
    ])
      expect(listed).toContain(text);
  });

  it('garbage-report finds the unreferenced blob', async () => {
    const at = path.join(dir.path, 'layout');
    const transport = createTransport();
    const source = openRepository({ host: registry.host, repository: 'team/app', transport });
    const layout = openLayout(at, openBlobCache(path.join(dir.path, 'cache')));
    await copy(source, '1.0', layout, { targetTag: '1.0' });
    transport.close();
    expect(await example('garbage-report.ts', at)).toContain('0 of 7 blobs');
    await writeFile(path.join(at, 'blobs/sha256', 'f'.repeat(64)), 'unused');
    expect(await example('garbage-report.ts', at)).toContain(`1 of 8 blobs`);
  });

  it.each(['mirror', 'retag', 'inspect', 'garbage-report'])(
    '%s has at most 25 lines',
    async (name) => {
      const text = await readFile(path.join(EXAMPLES, `${name}.ts`), 'utf8');
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
    },
  );
});
