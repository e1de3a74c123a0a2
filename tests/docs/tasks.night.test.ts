/**
 * The tasks of docs/guide/tasks.md as written, in their order, with one installation. `# stop` and
 * `npm start` stop and start it; after each task a test looks at what it promises.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { SKOPEO } from '@portcullis/embedded';
import {
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, logIn, type Product, settled, startProduct, tokenOf } from '../support/product.ts';
import { CURL, JQ, programsEnv } from '../support/programs.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/guide/tasks.md'), 'utf8');
const TASKS = [...PAGE.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
const START = /^((?:[A-Z_]+="[^"]*" )*)npm start$/;
const SKOPEO_OF_TEST =
  'skopeo() { command skopeo --insecure-policy "$@" --src-tls-verify=false --dest-tls-verify=false --src-creds "admin:$PASSWORD" --dest-creds "admin:$PASSWORD"; }';

const parts = new AsyncDisposableStack();
let settings: Record<string, string>;
/** The variables that the page's commands name. */
let values: Record<string, string>;
let programs: NodeJS.ProcessEnv;
let product: Product & { dataDir: string };

beforeAll(async () => {
  const upstream = parts.use(await startRegistry());
  const dir = await temporaryDir();
  parts.defer(() => dir.remove());
  const named = (name: string) => path.join(dir.path, name);
  values = {
    DATA_DIR: named('data'),
    NEW_DATA_DIR: named('moved'),
    ELSEWHERE: named('elsewhere'),
    ASIDE: named('aside'),
    BACKUPS: named('backups'),
    PORTCULLIS_CACHE: named('cache'),
    AUTHORITIES: '/etc/ssl/certs/ca-certificates.crt',
    PASS_PHRASE: 'a pass phrase of the test',
    PASSWORD: 'a long enough password',
    NEW_PASSWORD: 'another long password',
  };
  for (const name of ['backups', 'cache']) await mkdir(named(name));
  settings = {
    ADMIN_PASSWORD: values.PASSWORD ?? '',
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(upstream.url),
    EGRESS_ALLOW: upstream.host,
  };
  programs = await programsEnv([CURL, JQ, SKOPEO]);
  await start('');
  const call = await admin();
  await call('POST', '/api/folders', { name: 'team' });
  const credentials = { username: 'admin', password: values.PASSWORD ?? '' };
  await pushImage(product.url, 'team/tool', '1.0', await debianImage(), { credentials });
  await pushImage(upstream.url, 'acme/tool', '1.0', await debianImage());
  const source = { source_registry_host: upstream.host, image: 'acme/tool', tag: '1.0' };
  const { job_id } = await bodyOf(call('POST', '/api/staging/pull', source));
  await settled(call, job_id);
  values.JOB = job_id;
});
afterAll(() => parts.disposeAsync());

const admin = () => logIn(product, 'admin', values.PASSWORD ?? '');

/** With the variables before `npm start`; those that name ASIDE start a second installation. */
async function start(given: string): Promise<void> {
  const own = [...given.matchAll(/([A-Z_]+)="\$([A-Z_]+)"/g)].map(
    ([, name = '', value = '']) => [name, values[value] ?? ''] as const,
  );
  const env = Object.fromEntries(own);
  const started = await startProduct(env.DATA_DIR ?? values.DATA_DIR ?? '', {
    ...settings,
    ...env,
  });
  parts.defer(() => started.stop());
  const { port } = new URL(started.url);
  if (env.DATA_DIR === values.ASIDE) values.ASIDE_PORT = port;
  else {
    product = started;
    Object.assign(values, { DATA_DIR: started.dataDir, URL: started.url, PORT: port });
  }
}

async function bash(line: string): Promise<string> {
  const script = ['set -euo pipefail', SKOPEO_OF_TEST, line].join('\n');
  const child = spawn('bash', ['-c', script], {
    cwd: ROOT,
    env: { ...programs, ...values },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const [code] = await once(child, 'close');
  expect(code, `${line}\n${said.stdout}${said.stderr}`).toBe(0);
  return said.stdout;
}

/** The commands of a task; returns what they print. */
async function perform(title: string): Promise<string> {
  const [, section = ''] = PAGE.split(`\n## ${title}\n`);
  const [text = ''] = section.split('\n## ');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
  let printed = '';
  for (const line of blocks.flatMap((block) => block.split('\n'))) {
    const [, given] = START.exec(line) ?? [];
    if (line === '# stop') await product.stop();
    else if (given === undefined) printed += await bash(line);
    else await start(given);
  }
  return printed;
}

const tagsOf = async (repository: string) =>
  (await (await admin())('GET', `/api/images/__local__/tags?repository=${repository}`)).status;

/** What each task promises, after it. A task without an entry has no commands. */
const PROMISES: Record<string, (printed: string) => Promise<void>> = {
  'Exchange the secret key': async () => void (await admin()),
  async 'Sign in again as administrator'() {
    const call = await logIn(product, 'admin', values.NEW_PASSWORD ?? '');
    const change = { current_password: values.NEW_PASSWORD, new_password: values.PASSWORD };
    expect((await call('POST', '/api/auth/me/password', change)).status).toBeLessThan(300);
  },
  async 'Move to another machine'() {
    expect(existsSync(path.join(values.ELSEWHERE ?? '', 'secret.key'))).toBe(true);
    await (await admin())('POST', '/api/folders', { name: 'later' });
  },
  async 'Go back to the state of a backup'() {
    const { body } = await (await admin())('GET', '/api/folders');
    expect(JSON.stringify(body)).toContain('team');
    expect(JSON.stringify(body)).not.toContain('later');
  },
  async 'Take one folder out of a backup'() {
    expect(await tagsOf('team/recovered')).toBe(200);
  },
  async 'Move DATA_DIR'() {
    expect(product.dataDir).toBe(values.NEW_DATA_DIR);
    expect(await tagsOf('team/recovered')).toBe(200);
  },
  'Trust a private certificate authority': async () => void (await admin()),
  async 'See why a job was slow'(printed) {
    const stages = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(stages.map(({ stage }) => stage)).toEqual(['pull', 'scan']);
  },
  async 'Run without the Internet'(printed) {
    expect(printed).toContain('PostgreSQL');
  },
  async 'Make room on a full disk'(printed) {
    expect(JSON.parse(printed)).toMatchObject({ disk: true });
  },
  async 'Remove everything'() {
    for (const name of ['DATA_DIR', 'PORTCULLIS_CACHE'])
      expect(existsSync(values[name] ?? '')).toBe(false);
  },
};

it('there are ten tasks at least, and a promise for each that has commands', () => {
  expect(TASKS.length).toBeGreaterThanOrEqual(10);
  expect(TASKS.filter((title) => !(title in PROMISES))).toEqual(['Enlarge a volume on Kubernetes']);
});

it.each(TASKS.filter((title) => title in PROMISES))('%s', async (title) => {
  if (title === 'See why a job was slow') {
    values.TOKEN = await tokenOf(product, 'admin', values.PASSWORD ?? '');
  }
  await PROMISES[title]?.(await perform(title));
});
