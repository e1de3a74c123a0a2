/** Each sentence with which the contract refuses a field is said in all three languages, those of tomorrow as well. */
import { contract, type Operation } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { fieldFault } from './field-faults.ts';

type Schema = NonNullable<Operation['body']>;
/** A schema, or a check of one. */
interface Part {
  _zod: { def: { type?: string; error?: (issue: object) => unknown } };
}

const sources = import.meta.glob<string>('../../../../packages/contract/src/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Of each kind something that is wrong; no field that isn't asked for: no form sends one. */
const WRONG = [
  undefined,
  null,
  true,
  0.5,
  -1e15,
  1e15,
  '',
  'names',
  'two\nlines',
  'Not/a name',
  'x'.repeat(20_000),
  [],
  Array.from({ length: 2_000 }, () => 'x'),
  {},
];

const operations: Operation[] = Object.values(contract).flatMap((each) => Object.values(each));
const parts = new Set<Part>();
for (const { query, body } of operations) collect([query, body]);

function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!isPart(value)) {
    for (const each of Object.values(value)) collect(each);
  } else if (!parts.has(value)) {
    parts.add(value);
    collect(value._zod.def);
  }
}

function isPart(value: object): value is Part {
  return '_zod' in value;
}

/** What we wrote can be asked as well, but counts on what was checked before it. */
const OURS = ['custom', 'transform'];

function isSchema(part: Part): part is Part & Schema {
  return 'safeParse' in part && !OURS.includes(part._zod.def.type ?? '');
}

/** What the schemas say for themselves. */
function provoked(): string[] {
  const issues = [...parts]
    .filter(isSchema)
    .flatMap((schema) => WRONG.flatMap((value) => schema.safeParse(value).error?.issues ?? []));
  return issues.map(({ message }) => message);
}

/** What our own rules say: `.refine(…, 'this')`, `.regex(…, 'this')`. */
function ruled(): string[] {
  return [...parts].flatMap(({ _zod: { def } }) => {
    const said = def.error?.({});
    return typeof said === 'string' ? [said] : [];
  });
}

const ADDED = /addIssue\(\{(?:(?!\}\);).)*?message: '([^']+)'/gs;

/** What rules over several fields add; only a body that breaks just this one would say it. */
function added(): string[] {
  return Object.values(sources).flatMap((text) =>
    [...text.matchAll(ADDED)].map(([, said]) => said ?? ''),
  );
}

function isTranslated(message: string): boolean {
  const [fr, de] = [fieldFault(message, 'fr'), fieldFault(message, 'de')];
  return fr !== message && de !== message && fr !== de;
}

describe('the contract', () => {
  it.each([
    ['by its kinds of fields', provoked, 'Invalid email address'],
    ['by a rule of ours', ruled, 'each severity once'],
    ['by a rule over several fields', added, 'username and password belong together'],
  ])('says nothing %s that stays English', (_, messages, known) => {
    const said = [...new Set(messages())];
    expect(said).toContain(known);
    expect(said.filter((message) => !isTranslated(message))).toEqual([]);
  });

  it('adds faults by sentences that stand there, so that the above finds them', () => {
    const texts = Object.entries(sources).filter(([file]) => !file.endsWith('.test.ts'));
    const calls = texts.flatMap(([, text]) => text.match(/addIssue\(/g) ?? []);
    // One takes its sentence from a variable; its two are provoked.
    expect(added()).toHaveLength(calls.length - 1);
    expect(provoked()).toContainEqual(expect.stringMatching(/^must not be one of /));
  });
});
