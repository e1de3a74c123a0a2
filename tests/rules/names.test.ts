/**
 * An exported type name belongs to one file of the workspace, and a word means one thing in names.
 * Documents of the REST API may have the name of what they show.
 */
import { expect, it } from 'vitest';
import { type SourceFile, shipped } from './sources.ts';

const EXPORTED = /^export (?:interface|type|class|enum) ([A-Z]\w*)\b(?! *\})/gm;

const [documents, inner] = [true, false].map((wanted) =>
  shipped.filter(({ file }) => file.startsWith('packages/contract/') === wanted),
);

it.each([
  ['of the contract', documents],
  ['elsewhere', inner],
])('no two files %s export a type of the same name', (_, sources = []) => {
  const named = sources.flatMap(({ file, text }: SourceFile) =>
    [...text.matchAll(EXPORTED)].map(([, name = '']) => ({ name, file })),
  );
  expect(named.length).toBeGreaterThan(30);
  const twice = [...Map.groupBy(named, ({ name }) => name)].filter(([, files]) => files.length > 1);
  expect(
    twice.map(([name, files]) => `${name}: ${files.map(({ file }) => file).join(', ')}`),
  ).toEqual([]);
});

/** Words that had several meanings, and what is said instead. */
const ONE_WORD: readonly { old: RegExp; instead: string; allowed?: RegExp }[] = [
  { old: /^(?:asker|caller|requester)s?$/i, instead: 'principal' },
  { old: /let_?through/i, instead: 'bypassed' },
  {
    old: /^(?:[A-Z]\w*)?Place(?:s|d\w*)?$/,
    instead: 'what it locates: a repository, a scope, a position, a directory',
  },
  {
    old: /[a-z]Doors?$|^(?:open|create)\w*Doors?$/,
    instead: 'gate, for what decides; a door only names where',
    allowed: /^GateDoor$/,
  },
];

it('one word is used for one thing in the names of the code', () => {
  const broken = shipped
    .filter(({ file }) => !file.startsWith('apps/web/'))
    .flatMap(({ file, text }) =>
      [...new Set(withoutText(text).match(/[A-Za-z_$][\w$]*/g))].flatMap((name) =>
        ONE_WORD.filter(({ old, allowed }) => old.test(name) && !allowed?.test(name)).map(
          ({ instead }) => `${file}: ${name} (say ${instead})`,
        ),
      ),
    );
  expect(broken).toEqual([]);
});

/** Functions that were named by what they return or by what was done. */
const PARTICIPLE =
  /\bfunction\*? (?:accepted|announced|answered|asked|checked|counted|decided|described|found|gathered|held|judged|kept|known|listed|made|merged|named|parsed|quoted|recorded|seen|shown|stored|told|verified|written)\b/g;

it('a function is named by a verb, or by what it makes', () => {
  const broken = shipped
    .filter(({ file }) => !file.startsWith('apps/web/'))
    .flatMap(({ file, text }) => (text.match(PARTICIPLE) ?? []).map((name) => `${file}: ${name}`));
  expect(broken).toEqual([]);
});

/** Without comments and texts, which may say any word. */
function withoutText(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '');
}
