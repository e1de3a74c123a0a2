/**
 * Every reference to a document or a source file, in documents and in comments, resolves: links
 * with their anchors, paths from the root, numbers of decisions, sections of the specification, and
 * names of pages.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const KINDS = '*.{md,ts,tsx,mjs,sh,yml,yaml,tpl,prisma,sql,json,service}';
const TOPS = '{apps,packages,tests,scripts,bench,tools,deploy,docs,prisma,bin,.github,.ci}';
const SKIPPED = ['node_modules', 'dist', 'generated', 'images'];
/** Files that a build writes, copies of others. */
const WRITTEN = 'packages/oci/build/';

interface Text {
  file: string;
  text: string;
}

const texts: Text[] = globSync([KINDS, 'Dockerfile.*', `${TOPS}/**/${KINDS}`, '.ci/*'], {
  cwd: ROOT,
  exclude: (name) => SKIPPED.includes(path.basename(name)),
})
  .filter((file) => /\.\w+$|Dockerfile|^\.ci\//.test(file) && !file.startsWith('pnpm-lock'))
  .filter((file) => !file.startsWith(WRITTEN))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
const documents = texts.filter(({ file }) => file.endsWith('.md'));
const sources = texts.filter(({ file }) => !file.endsWith('.md'));

const decisions = new Set(
  readdirSync(path.join(ROOT, 'docs/decisions')).map((name) => name.slice(0, 4)),
);
const sections = sectionsOf(readFileSync(path.join(ROOT, 'docs/specification.md'), 'utf8'));
const pageNames = new Set(documents.map(({ file }) => path.basename(file)));
/** Pages of the OCI image specification. */
const OCI_PAGES = [
  'config',
  'descriptor',
  'image-index',
  'image-layout',
  'layer',
  'manifest',
  'media-types',
];

const inRoot = (file: string) => existsSync(path.join(ROOT, file));
/** Within a package, paths may begin at its directory. */
const inPackage = (name: string, file: string) =>
  inRoot(path.join(file.split('/').slice(0, 2).join('/'), name));

interface ReferenceKind {
  name: string;
  within: readonly Text[];
  /** The reference is its first group. */
  pattern: RegExp;
  resolves: (reference: string, file: string) => boolean;
}

const REFERENCES: ReferenceKind[] = [
  {
    name: 'a link in a document',
    within: documents,
    pattern: /\]\((?!https?:|mailto:)([^)\s]+)\)/g,
    resolves: (link, file) => leads(file, link),
  },
  {
    name: 'a picture of a document',
    within: documents,
    pattern: /\b(?:src|srcset)="(?!https?:)([^"]+)"/g,
    resolves: (link, file) => leads(file, link),
  },
  {
    name: 'a page by its path',
    within: texts,
    pattern: /(?<![\w./-])(docs\/[\w/.-]+\.md(?:#[\w-]+)?)/g,
    resolves: (link) => leads('README.md', link),
  },
  {
    name: 'a decision by its number',
    within: texts,
    pattern: /\bdecisions?[ /](\d{4})\b/gi,
    resolves: (number) => decisions.has(number),
  },
  {
    name: 'a section of the specification',
    within: texts,
    pattern: /(?<!distribution |image |OCI )\bspecification(?:\.md)? § ?(\d+(?:\.\d+)*)/g,
    resolves: (section) => sections.has(section),
  },
  {
    name: 'a source file by its path',
    // Migrations never change once they have been applied.
    within: texts.filter(({ file }) => !file.startsWith('prisma/migrations/')),
    pattern:
      /(?<![\w./${}*-])((?:apps|packages|tests|scripts|bench|tools|prisma)\/[\w/.-]+\.(?:ts|tsx|mjs|prisma))\b/g,
    resolves: (name, file) => inRoot(name) || inPackage(name, file),
  },
  {
    name: 'a page by its name in a comment',
    within: sources,
    pattern: /(?<=(?:\/\*\*|\/\/|^ \*|#) .*)(?<![\w./-])([a-z][a-z0-9-]*\.md)\b/gm,
    resolves: (page) => pageNames.has(page) || OCI_PAGES.includes(page.replace(/\.md$/, '')),
  },
];

describe('references', () => {
  it.each(REFERENCES)('$name resolves', ({ within, pattern, resolves }) => {
    const found = within.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map((match) => ({
        file,
        line: text.slice(0, match.index).split('\n').length,
        reference: match[1] ?? '',
      })),
    );
    const lost = found.filter(({ file, reference }) => !resolves(reference, file));
    expect(found.length).toBeGreaterThan(0);
    expect(lost.map(({ file, line, reference }) => `${file}:${line}: ${reference}`)).toEqual([]);
  });

  it.each([
    ['4', true],
    ['4.4', true],
    ['4.4.2', true],
    ['13.3', true],
    ['4.9', false],
    ['99', false],
  ])('section %s of the specification: %s', (section, expected) => {
    expect(sections.has(section)).toBe(expected);
  });
});

/** `## 4. …` is 4, `### 4.4 …` is 4.4, and the second item of a list below it 4.4.2. */
function sectionsOf(page: string): Set<string> {
  const found = new Set<string>();
  let section = '';
  for (const line of page.split('\n')) {
    const [, number] = /^##+ (\d+(?:\.\d+)*)\.? /.exec(line) ?? [];
    const [, item] = /^(\d+)\. /.exec(line) ?? [];
    if (number !== undefined) section = number;
    if (number !== undefined) found.add(number);
    else if (item !== undefined && section !== '') found.add(`${section}.${item}`);
  }
  return found;
}

function leads(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!inRoot(target)) return false;
  return (
    heading === undefined ||
    headingsOf(readFileSync(path.join(ROOT, target), 'utf8')).includes(heading)
  );
}

/** As GitHub names them. */
function headingsOf(text: string): string[] {
  const titles = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, title = '']) => title,
  );
  return titles.map((title) =>
    title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
