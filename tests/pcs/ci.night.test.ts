/**
 * docs/ci.md from its first command to its last, and the scripts of the templates for CI systems,
 * against the product. npm installs the packed command from a registry of the test.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { debianImage, pushImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { schemaFaults } from '../api/report-schemas/validate.ts';
import { blocksOf, printedBy, scriptOf } from '../support/guide.ts';
import { JQ, programsEnv } from '../support/programs.ts';
import { type NpmRegistry, servePacked } from './npm-registry.ts';
import { openPipelineSite, type PipelineSite, provideImages, robotToken } from './site.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const page = await readFile(path.join(ROOT, 'docs/ci.md'), 'utf8');
const blocks = blocksOf(page);

let site: PipelineSite;
let npm: NpmRegistry;
let env: NodeJS.ProcessEnv;

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

beforeAll(async () => {
  site = await openPipelineSite();
  npm = await servePacked(site.dir);
  const clean = ['library/alpine:3.22', 'library/nginx:1.29', 'library/nginx:1.28'];
  await provideImages(site, { clean, flawed: ['library/node:14'] });
  const prefix = path.join(site.dir, 'npm');
  const programs = await programsEnv([JQ]);
  env = {
    ...programs,
    ...site.env,
    PORTCULLIS_TOKEN: await robotToken(site),
    MY_TOKEN: site.token,
    HOME: site.dir,
    CI: 'true',
    PATH: [`${prefix}/bin`, path.dirname(process.execPath), programs.PATH].join(path.delimiter),
    npm_config_registry: npm.url,
    npm_config_prefix: prefix,
    npm_config_cache: path.join(site.dir, 'npm-cache'),
    npm_config_update_notifier: 'false',
  };
});

afterAll(async () => {
  await npm?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

async function shell(
  program: readonly [string, ...string[]],
  script: string,
  more: Record<string, string> = {},
): Promise<Ran> {
  const [command, ...args] = program;
  const cwd = path.join(site.dir, 'work');
  await mkdir(cwd, { recursive: true });
  const child = spawn(command, [...args, '-c', script], {
    cwd,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.err += text;
  });
  const [code] = await once(child, 'close');
  return { ...ran, code };
}

const BASH = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] as const;

/** What an earlier stage of a pipeline has pushed with docker. */
async function built(tag: string, flawed: boolean): Promise<string> {
  const version = flawed ? '3.0.11-1' : '3.0.99-1';
  const image = await debianImage({ packages: [{ name: 'openssl', version }] });
  const credentials = { username: 'ci', password: 'a long enough password' };
  await pushImage(site.product.url, 'team/app', tag, image, { credentials });
  return `team/app:${tag}`;
}

describe('docs/ci.md', () => {
  let ran: Ran;
  let printed: Map<number, string>;
  beforeAll(async () => {
    ran = await shell(BASH, scriptOf(blocks));
    printed = printedBy(ran.out);
  });

  it('runs from its first block to its last', () => {
    expect(ran.code, `${ran.out}\n${ran.err}`).toBe(0);
    expect([...printed.keys()]).toEqual(blocks.map(({ line }) => line));
  });

  it.each(blocks.filter(({ prints }) => prints !== null))(
    'shows the output of the block at line $line',
    (block) => expect(printed.get(block.line), ran.err).toBe(block.prints),
  );

  it('says with which code blocked images end', () => {
    const said = ran.out.split('\n').filter((line) => line.startsWith('exit code'));
    const asked = scriptOf(blocks).match(/\|\| echo "exit code \$\?"$/gm) ?? [];
    expect(asked).not.toEqual([]);
    expect(said).toEqual(asked.map(() => 'exit code 3'));
  });
});

interface Step {
  id?: string;
  uses?: string;
  run?: string;
  if?: string;
  env?: Record<string, string>;
}

describe('deploy/ci/github/action.yml', () => {
  /** As the runner does: steps of scripts, with expressions in their environment. */
  async function action(image: string) {
    const text = await readFile(path.join(ROOT, 'deploy/ci/github/action.yml'), 'utf8');
    const { inputs, runs } = parse(text);
    const temp = path.join(site.dir, `runner-${image.replaceAll(/\W/g, '-')}`);
    await mkdir(temp);
    const given: Record<string, string> = {
      url: site.product.url,
      token: env.PORTCULLIS_TOKEN ?? '',
      image,
    };
    const outputs: Record<string, string> = {};
    const evaluated = (expression: string): string => {
      const [kind, ...names] = expression.trim().split('.');
      const name = names.at(-1) ?? '';
      if (kind === 'inputs') return given[name] ?? inputs[name].default;
      return kind === 'runner' ? temp : (outputs[name] ?? '');
    };
    const filled = (value: string) =>
      value.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluated(expression));
    const file = path.join(temp, 'output');
    let code: number | null = 0;
    const log: string[] = [];
    for (const step of (runs.steps as Step[]).filter(({ run }) => run !== undefined)) {
      const values = Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)]);
      const ran = await shell(BASH, step.run ?? '', {
        ...Object.fromEntries(values),
        GITHUB_OUTPUT: file,
      });
      log.push(ran.out, ran.err);
      code = ran.code;
      const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
      Object.assign(outputs, Object.fromEntries(lines.map((line) => line.split('='))));
    }
    return { code, outputs, log: log.join('') };
  }

  it('passes with a good image, and has valid SARIF of it', async () => {
    const { code, outputs, log } = await action(await built('good', false));
    expect({ code, said: outputs['exit-code'] }, log).toEqual({ code: 0, said: '0' });
    const sarif = JSON.parse(await readFile(outputs.sarif ?? '', 'utf8'));
    expect(schemaFaults('sarif', sarif)).toEqual([]);
  });

  it('fails with a blocked image, and has its findings', async () => {
    const { code, outputs, log } = await action(await built('bad', true));
    expect(code, log).toBe(3);
    expect(await readFile(outputs.sarif ?? '', 'utf8')).toContain('CVE-2099-0001');
  });
});

describe('deploy/ci/gitlab/portcullis.yml', () => {
  async function job(name: string, variables: Record<string, string>): Promise<Ran> {
    const jobs = parse(await readFile(path.join(ROOT, 'deploy/ci/gitlab/portcullis.yml'), 'utf8'));
    const base = jobs[jobs[name].extends];
    const lines: string[] = [...base.before_script, ...jobs[name].script];
    const defaults = { ...base.variables, ...jobs[name].variables };
    return shell(['sh', '-e'], lines.join('\n'), { ...defaults, ...variables });
  }

  it.each([
    ['passes with a good image', 'fine', false, 0],
    ['fails with a blocked image', 'wrong', true, 3],
  ])('.portcullis-gate %s', async (_, tag, flawed, code) => {
    const ran = await job('.portcullis-gate', { PORTCULLIS_IMAGE: await built(tag, flawed) });
    expect(ran.code, `${ran.out}${ran.err}`).toBe(code);
    const sbom = path.join(site.dir, 'work', 'gl-sbom-portcullis.cdx.json');
    expect(schemaFaults('cyclonedx', JSON.parse(await readFile(sbom, 'utf8')))).toEqual([]);
  });

  it('.portcullis-transfer fails where an image is blocked, and names it', async () => {
    const ran = await job('.portcullis-transfer', { PORTCULLIS_FOLDER: 'team' });
    expect(ran.code, `${ran.out}${ran.err}`).toBe(3);
    expect(ran.out).toMatch(/blocked +\S+library\/node:14/);
  });
});

describe('the snippet for', () => {
  it('Jenkins gates an image and saves its report', async () => {
    const [, groovy = ''] = /```groovy\n([\s\S]*?)```/.exec(page) ?? [];
    const scripts = [...groovy.matchAll(/sh '''([\s\S]*?)'''|sh '(.*)'/g)].map(
      ([, block, line]) => block ?? line ?? '',
    );
    expect(scripts).toHaveLength(2);
    const IMAGE = await built('jenkins', true);
    const codes: (number | null)[] = [];
    for (const script of scripts) codes.push((await shell(['sh', '-e'], script, { IMAGE })).code);
    expect(codes).toEqual([3, 0]);
  });

  it('Tekton gates an image', async () => {
    const yaml = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    const task = parse(yaml.find((text) => text.includes('kind: Task')) ?? '');
    const [step] = task.spec.steps;
    expect(step.env.map(({ name }: { name: string }) => name)).toContain('IMAGE');
    const IMAGE = await built('tekton', false);
    const ran = await shell(['sh'], step.script, { IMAGE });
    expect(ran.code, `${ran.out}${ran.err}`).toBe(0);
  });
});
