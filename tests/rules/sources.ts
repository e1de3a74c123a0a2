/**
 * The TypeScript sources of the workspace, and what each imports, for the rules that `npm run
 * check` enforces.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** Relative to the repository's root, with slashes. */
  file: string;
  text: string;
}

const isTest = (file: string) => /\.(?:test|contract|fixture)\.tsx?$/.test(file);

/** Everything a package or an app ships, without its tests. */
export const shipped: readonly SourceFile[] = read('{apps,packages}/*/src/**/*.{ts,tsx}').filter(
  ({ file }) => !isTest(file),
);

/** Every TypeScript file of the repository: sources, tests, tools and scripts. */
export const written: readonly SourceFile[] = read(
  '{apps,packages,tests,tools,scripts}/**/*.{ts,tsx}',
);

/** The tests, what only they use, and not the rules of this folder, which name what they forbid. */
export const ofTests: readonly SourceFile[] = written.filter(
  ({ file }) =>
    (/^(?:tests|packages\/testing)\//.test(file) || isTest(file)) &&
    !file.startsWith('tests/rules/'),
);

/** The text without its comments, whose lines stay. */
export function codeOf({ text }: SourceFile): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

/** Where the pattern, which has the flag `g`, matches: `file:line`. */
export function placesOf(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap((source) => {
    const code = codeOf(source);
    return [...code.matchAll(pattern)].map(
      ({ index }) => `${source.file}:${code.slice(0, index).split('\n').length}`,
    );
  });
}

/** The words of the page in each language. */
export const words: readonly SourceFile[] = read('apps/web/src/locales/*/**/*.json');

function read(pattern: string): SourceFile[] {
  return globSync(pattern, { cwd: ROOT, exclude: isForeign })
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
}

function isForeign(file: string): boolean {
  return /(?:^|\/)(?:node_modules|dist|generated)(?:\/|$)/.test(file);
}

const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

/** The module specifiers a file names, those of types included. */
export function importsOf({ text }: SourceFile): string[] {
  return [...text.matchAll(SPECIFIER)].map(([, specifier = '']) => specifier);
}

/** The file a specifier leads to; undefined for what is not part of the workspace. */
export function resolveImport(from: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.join(path.dirname(from.file), specifier);
  const [, name, entry] = /^@portcullis\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const dir = ['packages', 'apps']
    .map((top) => `${top}/${name}`)
    .find((each) => existsSync(path.join(ROOT, each)));
  if (dir === undefined) return undefined;
  const { exports } = JSON.parse(readFileSync(path.join(ROOT, dir, 'package.json'), 'utf8'));
  const target: unknown = exports?.[entry === undefined ? '.' : `./${entry}`];
  return typeof target === 'string' ? path.join(dir, target) : undefined;
}
