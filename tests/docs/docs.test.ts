import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['docs', 'docs/guide'].flatMap((dir) =>
    readdirSync(path.join(ROOT, dir)).map((name) => `${dir}/${name}`),
  ),
].filter((name) => name.endsWith('.md'));

describe.each(pages)('%s', (page) => {
  const text = readFileSync(path.join(ROOT, page), 'utf8');

  it('names only codes and variables in the sources', () => {
    expect(namesIn(text).filter((name) => !knows(name))).toEqual([]);
  });
});

it('O25: README and installation name the same account', () => {
  const sentence =
    /Run it as an\s+ordinary user\. As root it works as well: PostgreSQL then runs under a separate account\./;
  for (const page of ['README.md', 'docs/guide/install.md'])
    expect(readFileSync(path.join(ROOT, page), 'utf8')).toMatch(sentence);
});

const units = globSync('{packages,apps}/*/package.json', { cwd: ROOT }).map(path.dirname);
/** The README of the published library, which has an example for each verb. */
const LIBRARY = 'packages/oci';

it.each(units.filter((unit) => unit !== LIBRARY))('%s has a README of one screen', (unit) => {
  const text = readFileSync(path.join(ROOT, unit, 'README.md'), 'utf8');
  expect(text.split('\n').length).toBeLessThan(60);
  expect(text).toMatch(/^# /);
});

it('documents say who acts: no somebody, nobody or whoever', () => {
  const files = globSync(['*.md', 'docs/**/*.md', '{packages,apps}/*/*.md'], { cwd: ROOT });
  const words =
    /(?<!`)\b(?:somebody|nobody|whoever|everybody|to be had|is told|told of|parted by)\b(?!`)/gi;
  const found = files
    // It lists the words to avoid.
    .filter((file) => file !== 'docs/writing.md')
    .flatMap((file) => [
      ...[...readFileSync(path.join(ROOT, file), 'utf8').matchAll(words)].map(
        ([word]) => `${file}: ${word}`,
      ),
    ]);
  expect(found).toEqual([]);
});

it('every code name in the glossary exists', () => {
  const glossary = readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8');
  const cells = [...glossary.matchAll(/\| ([^|]*) \|$/gm)].map(([, cell = '']) => cell);
  const names = cells.flatMap((cell) =>
    [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !exists(name))).toEqual([]);
});

function exists(name: string): boolean {
  if (name.includes('/')) return existsSync(path.join(ROOT, name));
  return sources.some((text) => new RegExp(`\\b${name}\\b`).test(text));
}

it('every page is linked from the README', () => {
  const linked = linksOf(readFileSync(path.join(ROOT, 'README.md'), 'utf8'));
  expect(pages.filter((page) => page !== 'README.md' && !linked.includes(page))).toEqual([]);
});

function linksOf(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '');
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

/** `EGRESS_DENIED`, `PUBLIC_URL`; words of one part have too many other meanings. */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
    ([, name]) => name,
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Node's own, a secret of the release workflow, and a variable of the examples for receivers. */
const NOT_OURS = new Set(['NODE_EXTRA_CA_CERTS', 'RELEASE_KEY', 'WEBHOOK_SECRETS']);

function knows(name: string): boolean {
  return NOT_OURS.has(name) || known.has(name) || known.has(name.replace(/_FILE$/, ''));
}

const templates = globSync('deploy/ci/*/*.yml', { cwd: ROOT }).map((file) => path.join(ROOT, file));
const sources = [...['apps', 'packages'].flatMap(sourcesBelow), ...templates].map((file) =>
  readFileSync(file, 'utf8'),
);
const known = new Set(
  sources.flatMap((text) => {
    return text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [];
  }),
);

function sourcesBelow(dir: string): string[] {
  return readdirSync(path.join(ROOT, dir), { withFileTypes: true }).flatMap((entry) => {
    const inner = path.join(dir, entry.name);
    if (['node_modules', 'dist', 'generated'].includes(entry.name)) return [];
    if (entry.isDirectory()) return sourcesBelow(inner);
    return entry.name.endsWith('.ts') ? [path.join(ROOT, inner)] : [];
  });
}
