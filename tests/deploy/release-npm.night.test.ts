/** The step of the release that publishes `pcs`, run as written against a registry of npm. */
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { run } from '@portcullis/embedded';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { packCommand } from '../../scripts/release/files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const APP = path.join(ROOT, 'apps/pcs');

interface Published {
  name: string;
  access: string;
  'dist-tags': Record<string, string>;
  versions: Record<string, { bin: Record<string, string>; dependencies?: unknown }>;
  _attachments: Record<string, { data: string }>;
}

/** Takes what is published; it has no packages before. */
async function startNpm() {
  const published: Published[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'PUT') return response.writeHead(404).end('{}');
    // Sent by npm itself.
    published.push((await json(request)) as Published);
    return response.writeHead(201).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    published,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function publishingStep(): Promise<string> {
  const workflow = parse(await readFile(path.join(ROOT, '.github/workflows/release.yml'), 'utf8'));
  const steps: { name?: string; run?: string }[] = workflow.jobs.release.steps;
  const commands = steps.flatMap(({ run: command }) => command ?? []);
  const step = commands.find((command) => command.includes(' publish '));
  // The machine's npm: the test registry has no package of npm itself.
  return step?.replace(/^npx --yes npm@[\d.]+/, 'npm') ?? 'no step publishes';
}

it('publishes the packed command, which every account may install', async () => {
  await using dir = await temporaryDir();
  await using npm = await startNpm();
  await mkdir(path.join(dir.path, 'release'));
  await packCommand(APP, path.join(dir.path, 'release'));
  const settings = path.join(dir.path, 'npmrc');
  await writeFile(settings, `//${npm.host}/:_authToken=test\nregistry=http://${npm.host}/\n`);
  await run('bash', ['-euc', await publishingStep()], {
    cwd: dir.path,
    env: {
      PATH: process.env.PATH,
      HOME: dir.path,
      npm_config_userconfig: settings,
      npm_config_update_notifier: 'false',
    },
  });

  const { version } = JSON.parse(await readFile(path.join(APP, 'package.json'), 'utf8'));
  expect(npm.published).toMatchObject([
    {
      name: '@portcullis-gate/pcs',
      access: 'public',
      'dist-tags': { latest: version },
      versions: { [version]: { bin: { pcs: 'dist/pcs.mjs' } } },
    },
  ]);
  const [first] = npm.published;
  expect(first?.versions[version]?.dependencies).toBeUndefined();
  const file = path.join(dir.path, 'published.tgz');
  const [attachment] = Object.values(first?._attachments ?? {});
  await writeFile(file, Buffer.from(attachment?.data ?? '', 'base64'));
  const names = await run('tar', ['-tzf', file]);
  expect(names.trim().split('\n').sort()).toEqual([
    'package/README.md',
    'package/dist/pcs.mjs',
    'package/package.json',
  ]);
});
