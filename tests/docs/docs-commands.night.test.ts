/**
 * The commands of README and docs, run as written, with the product that the README's command
 * starts. A registry of the test replaces Docker Hub and other hosts; `docker` is podman, which
 * needs no daemon.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SKOPEO } from '@portcullis/embedded';
import {
  alpineImage,
  type ContainerTools,
  containerTools,
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TemporaryDir,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, type Call, logIn, type Product, startByNpm, until } from '../support/product.ts';
import { CURL, JQ, programsEnv } from '../support/programs.ts';
import { type PageBlock, runBlocks } from './docs-commands.ts';

/** Unknown to the made-up advisories of the tests. */
const CLEAN = [{ name: 'musl', version: '1.2.5-r11' }];
const START = /^((?:[A-Z_]+=(?:'[^']*'|\S+) )*)npm start$/;

const startLine = runBlocks.flatMap(({ lines }) => lines).find((line) => START.test(line)) ?? '';
const blocks = runBlocks
  .map((block) => ({ ...block, lines: block.lines.filter((line) => line !== startLine) }))
  .filter(({ lines }) => lines.length > 0);
const settings = Object.fromEntries(
  [...startLine.matchAll(/([A-Z_]+)=(?:'([^']*)'|(\S+)) /g)].map(([, name, quoted, bare]) => [
    name,
    quoted ?? bare,
  ]),
);
const PASSWORD = settings.ADMIN_PASSWORD ?? '';

let upstream: TestRegistry;
let dir: TemporaryDir;
let product: Product;
let host: string;
let tools: ContainerTools;
let admin: Call;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  upstream = await startRegistry();
  const database = await serveVulnerabilityDb(upstream.url);
  // The files that are carried to an air-gapped site.
  await serveVulnerabilityDb(upstream.url, { repository: 'aquasec/trivy-db' });
  await pushImage(upstream.url, 'library/alpine', '3.22', await alpineImage({ packages: CLEAN }));
  await pushImage(upstream.url, 'library/alpine', '3.15.0', await debianImage());
  dir = await temporaryDir();
  product = await startByNpm(path.join(dir.path, 'data'), {
    ...settings,
    DOCKERHUB_HOST: upstream.host,
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: upstream.host,
  });
  host = `localhost:${new URL(product.url).port}`;
  admin = await logIn(product, 'admin', PASSWORD);
  tools = await containerTools();
  await writeFile(
    path.join(tools.dir, 'registries.conf'),
    `[[registry]]\nlocation = "${host}"\ninsecure = true\n`,
  );
  env = await environment();
  await provide();
});

afterAll(async () => {
  await product?.stop();
  await tools?.[Symbol.asyncDispose]();
  await upstream?.stop();
  await dir?.remove();
});

/** What the pages assume: an image in the folder `team`, and one of the reader's. */
async function provide(): Promise<void> {
  const credentials = { username: 'admin', password: PASSWORD };
  await pushImage(product.url, 'team/nginx', '1.29', await alpineImage({ packages: CLEAN }), {
    credentials,
  });
  const own = `${host}/team/nginx:1.29`;
  await tools.podman('pull', '--creds', `admin:${PASSWORD}`, own);
  await tools.podman('tag', own, 'localhost/tool');
}

async function environment(): Promise<NodeJS.ProcessEnv> {
  return { ...(await programsEnv([CURL, JQ, SKOPEO])), URL: product.url, PASSWORD };
}

/** Replaces the hosts, and a secret that a page only mentions. */
function here(line: string): string {
  return line
    .replaceAll('localhost:8080', host)
    .replaceAll('images.example.com', host)
    .replaceAll('mirror.gcr.io', upstream.host)
    .replaceAll('admin:pct_…', `admin:${PASSWORD}`);
}

/**
 * The shell functions of the API guide, as air-gap.md requires, and a skopeo that accepts plain
 * HTTP.
 */
function prelude(): string {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guide/api.md'), 'utf8');
  const [login = ''] = /^TOKEN=\$\([\s\S]*?\n {2}curl .*$/m.exec(guide) ?? [];
  const [api = ''] = /^api\(\) \{.*\}$/m.exec(guide) ?? [];
  const [settled = ''] = /^settled\(\) \{[\s\S]*?^\}$/m.exec(guide) ?? [];
  const skopeo =
    'skopeo() { command skopeo --insecure-policy "$@" --src-tls-verify=false --dest-tls-verify=false; }';
  return ['set -euo pipefail', login, api, settled, skopeo].join('\n');
}

async function bash(script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-c', script], {
    cwd: dir.path,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...said };
}

/**
 * Split as a shell would. `docker login` gets the administrator's password, wherever the page reads
 * it from.
 */
async function docker(line: string): Promise<void> {
  for (const part of line.split(' && ')) {
    const { stdout } = await bash(`printf '%s\\0' ${part}`);
    const [, verb = '', ...rest] = stdout.split('\0').slice(0, -1);
    const login = ['-u', 'admin', '-p', PASSWORD, rest.at(-1) ?? ''];
    await tools.podman(verb, ...(verb === 'login' ? login : rest));
  }
}

async function transfersEnded(): Promise<void> {
  const running = async () =>
    (await bodyOf(admin('GET', '/api/transfer/jobs'))).filter(
      ({ status }: { status: string }) => status === 'running',
    );
  await until(async () => (await running()).length === 0);
}

async function follow({ lines }: PageBlock): Promise<void> {
  const all = lines.map(here);
  const isDocker = (line: string) => line.startsWith('docker ');
  for (const line of all.filter(isDocker)) await docker(line);
  const script = all.filter((line) => !isDocker(line));
  if (script.length === 0) return;
  const { code, stdout, stderr } = await bash([prelude(), ...script].join('\n'));
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  await transfersEnded();
}

it('the README starts the product with a password that is long enough', () => {
  expect(PASSWORD.length).toBeGreaterThan(11);
});

describe('the commands of README and docs', () => {
  it.each(blocks)('of $page, line $line, do what the page says', (block) => follow(block));

  it('of the README push its image to where docker pulls it from', async () => {
    const tags = await admin('GET', '/api/images/__local__/tags?repository=apps/alpine');
    const names = JSON.stringify(tags.body);
    expect(names).toContain('"3.22"');
    expect(names).not.toContain('3.15.0');
  });
});
