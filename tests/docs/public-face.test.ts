/** The public pages of the project: licence, addresses, pictures, and the actions that CI runs. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const manifests = ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: ROOT })];
const { repository, homepage, bugs } = JSON.parse(read('package.json'));
const ADDRESS: string = repository.url;

it.each([
  'LICENSE',
  'NOTICE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  '.editorconfig',
  '.github/CODEOWNERS',
  '.github/pull_request_template.md',
])('%s exists (O23)', (file) => expect(existsSync(path.join(ROOT, file))).toBe(true));

describe('the licence (O23)', () => {
  it('is the complete text of Apache 2.0', () => {
    const text = read('LICENSE');
    expect(text).toContain('Version 2.0, January 2004');
    expect(text).toContain('END OF TERMS AND CONDITIONS');
  });

  it.each(manifests)('%s names it', (file) => {
    expect(JSON.parse(read(file)).license).toBe('Apache-2.0');
  });
});

describe('the URL of the repository', () => {
  const texts = globSync(['*.md', 'docs/**/*.md', '.github/**/*', 'deploy/**/*', 'Dockerfile.*'], {
    cwd: ROOT,
  }).filter(
    (file) =>
      statSync(path.join(ROOT, file)).isFile() && /\.(?:md|ya?ml|api|worker|tpl)$/.test(file),
  );

  it('is that of package.json everywhere', () => {
    const owned = new URL(ADDRESS).pathname.split('/')[2] ?? '';
    const others = texts.flatMap((file) =>
      [...read(file).matchAll(new RegExp(`https://github\\.com/[\\w-]+/${owned}(?![\\w-])`, 'g'))]
        .map(([found]) => found)
        .filter((found) => found !== ADDRESS)
        .map((found) => `${file}: ${found}`),
    );
    expect(others).toEqual([]);
  });

  it('leads to its issues and its home page', () => {
    expect({ homepage, bugs }).toEqual({ homepage: ADDRESS, bugs: `${ADDRESS}/issues` });
  });
});

describe('the README (O22)', () => {
  it.each([
    ['light', /<img alt="[^"]+" src="([^"]+)">/],
    ['dark', /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/],
  ])('shows a %s picture of limited size', (_, element) => {
    const [, picture = ''] = element.exec(read('README.md')) ?? [];
    expect(statSync(path.join(ROOT, picture)).size).toBeLessThan(300 * 1024);
  });

  it.each(['Harbor', 'zot', 'Quay', 'Nexus', 'skopeo'])('states the differences to %s', (name) => {
    expect(read('README.md')).toContain(`[${name}`);
  });
});

describe('the three commands', () => {
  const rows = read('README.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, command = '']) => /^`npm [\w ]+`$/.test(command));

  it('are in a table of the README, with what each does, how long it takes and what it needs', () => {
    expect(rows.map(([, command]) => command)).toEqual([
      '`npm run demo`',
      '`npm start`',
      '`npm test`',
    ]);
    for (const cells of rows) expect(cells.slice(1, 5).every((cell) => cell.length > 3)).toBe(true);
  });

  it('are scripts of the project, and before its other sections', () => {
    expect(JSON.parse(read('package.json')).scripts).toMatchObject({
      demo: expect.any(String),
      start: expect.any(String),
      test: expect.any(String),
    });
    const [, , second] = read('README.md').split(/^## /m);
    expect(second).toMatch(/^How it works/);
  });

  it('are what .ci/run and the bare machine run', () => {
    expect(read('.ci/run')).toMatch(/^npm test /m);
    expect(read('.ci/run')).toMatch(/^npm run bare -- start\b/m);
    expect(read('tests/deploy/bare/first-start.mjs')).toContain("runUntil(['start']");
    expect(read('tests/deploy/bare/demo.mjs')).toContain("runUntil(['run', 'demo']");
    expect(read('tests/deploy/bare/main.ts')).toContain("here('npm', 'test', ...given)");
  });
});

interface Workflow {
  env?: object;
  jobs: Record<string, { env?: object }>;
}

describe('continuous integration on GitHub', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT });

  it('runs the same script as other environments', () => {
    expect(read('.github/workflows/ci.yml')).toContain('bash .ci/run');
  });

  it.each(workflows)('%s gives secrets to steps that need them, and to no whole job', (file) => {
    const { env, jobs }: Workflow = parse(read(file));
    const whole = [env, ...Object.values(jobs).map((job) => job.env)];
    expect(JSON.stringify(whole)).not.toMatch(/secrets\.|github\.token/);
  });

  it.each(workflows)('%s names each action by the digest of its commit', (file) => {
    const used = [...read(file).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
  });
});

it('.nvmrc names the major version of Node that the product uses', () => {
  const { devDependencies } = JSON.parse(read('package.json'));
  expect(read('.nvmrc').trim()).toBe(devDependencies.node.split('.')[0]);
});
