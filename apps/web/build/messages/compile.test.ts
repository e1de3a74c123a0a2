import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';

type Texts = Readonly<Record<string, unknown>>;

/** An area `jobs` in English and German. */
function compiledJson(english: string, german: string) {
  const areaOf = (json: string) => new Map([['jobs', json]]);
  return compile(
    new Map([
      ['en', areaOf(english)],
      ['de', areaOf(german)],
    ]),
  );
}

function compiled(english: Texts, german: Texts = english) {
  return compiledJson(JSON.stringify({ job: english }), JSON.stringify({ job: german }));
}

/** Of the group `job`, which is one of the bundle `pages`. */
function codeOf(entries: Texts): string {
  const { modules, faults } = compiled(entries);
  expect(faults).toEqual([]);
  const code = modules.get('en/pages.bundle.ts') ?? '';
  return code.slice(code.indexOf('export const job = {\n') + 21, code.lastIndexOf('};')).trim();
}

describe('a message becomes', () => {
  it.each<[string, Texts, string]>([
    ['a string', { text: 'Images' }, 'text: "Images",'],
    ['a function of a text', { text: '{name}' }, 'text: (name: string) => name,'],
    ['a function of a number', { text: '{n, number}' }, 'text: (n: number) => $number(n),'],
    [
      'a function of the list in its key, whatever the order of the words',
      { 'text(names, more)': '{more, plural, =1 {{names}} other {#}}' },
      'text: (names: string, more: number) => more === 1 ? names : $number(more),',
    ],
    ['part of a group', { 'job.run': { text: 'A' } }, '"job.run": {\ntext: "A",\n},'],
    ['nothing if it is a note', { '//': 'For {translators}', text: 'A' }, 'text: "A",'],
  ])('%s', (_, texts, code) => {
    expect(codeOf(texts)).toBe(code);
  });
});

it('a group is in the bundle that is loaded with it, with the helpers that its messages call', () => {
  const json = JSON.stringify({
    shell: { jobs: '{n, plural, one {# job} other {# jobs}}' },
    fieldFault: { TOO_LONG: 'At most {maximum}.' },
    jobFault: { CANCELLED: 'Cancelled.' },
  });
  const { modules } = compiledJson(json, json);
  expect([...modules.keys()].toSorted()).toEqual([
    'de/field-faults.bundle.ts',
    'de/jobs.bundle.ts',
    'en/field-faults.bundle.ts',
    'en/jobs.bundle.ts',
  ]);
  const jobs = modules.get('de/jobs.bundle.ts');
  expect(jobs).toContain("import { counter } from '../../../i18n/count.ts';");
  expect(jobs).toContain("const $count = counter('de');");
  expect(jobs).toContain('} as Readonly<Record<string, string>>;');
  expect(modules.get('en/field-faults.bundle.ts')).toContain('TOO_LONG: "At most {maximum}.",');
});

describe('what is wrong is reported with its file, key and reason:', () => {
  const TEXT = { text: '{n, plural, one {# job} other {# jobs}} of {name}' };

  it.each<[string, Texts, Texts, string]>([
    ['a key that is missing', { a: 'A', b: 'B' }, { a: 'A' }, 'job.b: this is missing'],
    ['a key too many', { a: 'A' }, { a: 'A', b: 'B' }, 'job.b: English does not have this'],
    [
      'a group in place of a text',
      { a: 'A' },
      { a: { b: 'B' } },
      'job.a: this is a text in English',
    ],
    [
      'a text in place of a group',
      { a: { b: 'B' } },
      { a: 'A' },
      'job.a: this is a group in English',
    ],
    [
      'a parameter that is missing',
      { a: '{n}' },
      { a: 'A' },
      'job.a: the parameter {n} is missing',
    ],
    [
      'a parameter too many',
      { a: 'A' },
      { a: '{n}' },
      'job.a: English does not have the parameter {n}',
    ],
    ['another name', { a: '{n}' }, { a: '{m}' }, 'job.a: the parameter {n} is missing'],
    [
      'a text for a number',
      { a: '{n, number}' },
      { a: '{n}' },
      'job.a: {n} is a number in English',
    ],
    ['a number for a text', { a: '{n}' }, { a: '{n, number}' }, 'job.a: {n} is a text in English'],
    [
      'another list',
      { 'a(n, m)': '{n}{m}' },
      { 'a(m, n)': '{n}{m}' },
      'job.a(n, m): this is missing',
    ],
  ])('in German: %s', (_, english, german, fault) => {
    expect(compiled(english, german).faults).toContain(`de/jobs.json: ${fault}`);
  });

  it.each<[string, Texts, string]>([
    [
      'several parameters without a list',
      TEXT,
      'job.text: several parameters are listed in the key: key(n, name)',
    ],
    [
      'a listed parameter that is missing',
      { 'a(n, m)': '{n}' },
      'job.a(n, m): the parameter {m} is missing',
    ],
    [
      'a parameter that is not listed',
      { 'a(n, m)': '{n}{m}{o}' },
      'job.a(n, m): {o} is not a parameter of this message',
    ],
    [
      'a key of another form',
      { 'a b': 'A' },
      'job.a b: this key is not of the form key or key(first, second)',
    ],
    [
      'a name that is there twice',
      { a: 'A', 'a(n, m)': '{n}{m}' },
      'job.a(n, m): another key has this name, too',
    ],
    ['a group with a list', { 'a(n, m)': { b: 'B' } }, 'job.a(n, m): a group has no parameters'],
    ['a list of texts', { a: ['A'] }, 'job.a: this is neither a text nor a group of texts'],
    ['null', { a: null }, 'job.a: this is neither a text nor a group of texts'],
    [
      'a text that is a number, too',
      { a: '{n} {n, number}' },
      'job.a: {n} is a text and a number; numbers are written {n, number}',
    ],
    ['a word of JavaScript', { a: '{new}' }, "job.a: {new} can't be the name of a parameter"],
    [
      'an unknown plural form',
      { a: '{n, plural, few {A} other {B}}' },
      'job.a: there is no plural form few here, only one, other and =0',
    ],
    [
      'a form that is there twice',
      { a: '{n, plural, one {A} one {B} other {C}}' },
      'job.a: one is there twice, at “B} other {C}}”'.replace('“ {B}', '“{B}'),
    ],
    [
      'no form other',
      { a: '{n, plural, one {A}}' },
      'job.a: the option other {…} is missing, at “”',
    ],
    [
      'an offset',
      { a: '{n, plural, offset:1 other {A}}' },
      'job.a: no option such as other {…}, at “ offset:1 other {A}}”',
    ],
    ['another format', { a: '{n, date}' }, 'job.a: {n, date} is not supported, at “”'],
    [
      'a format with a style',
      { a: '{n, number, percent}' },
      'job.a: {n, number, …} is not supported, at “ percent}”',
    ],
    ['a number of a parameter', { a: '{0}' }, 'job.a: no parameter such as {name}, at “{0}”'],
    ['a brace without an end', { a: 'A {n' }, 'job.a: no parameter such as {name}, at “{n”'],
    ['an option without an end', { a: '{n, plural, other {A' }, 'job.a: other has no end, at “”'],
    ['a brace without a beginning', { a: 'A } B' }, 'job.a: a } without its {, at “} B”'],
    ['a quote without an end', { a: "A '{n}" }, "job.a: a quote has no end, at “'{n}”"],
    ['markup', { a: 'A <b>B</b>' }, "job.a: markup; a < is written as '<', at “<b>B</b>”"],
  ])('%s', (_, texts, fault) => {
    const { modules, faults } = compiled(texts, {});
    expect(faults).toContain(`en/jobs.json: ${fault}`);
    expect(modules.size).toBe(0);
  });

  it('a file that is no JSON', () => {
    const { faults } = compiledJson('{', '{}');
    expect(faults).toEqual([expect.stringMatching(/^en\/jobs\.json: .*JSON/)]);
  });

  it('a file that is missing', () => {
    const english = new Map([['jobs', '{ "job": { "a": "A" } }']]);
    const { faults } = compile(
      new Map([
        ['en', english],
        ['fr', new Map<string, string>()],
      ]),
    );
    expect(faults).toEqual(['fr/jobs.json: job: this is missing']);
  });

  it.each(['{ "title": "Jobs" }', '{ "job-list": { "title": "Jobs" } }'])(
    'no group with a name of JavaScript: %s',
    (json) => {
      expect(compiledJson(json, json).faults[0]).toMatch(
        /^en\/jobs\.json: [\w-]+: a file has groups, with names such as tokenScope$/,
      );
    },
  );

  it('a group in two files', () => {
    const areas = new Map(['jobs', 'images'].map((area) => [area, '{ "job": { "a": "A" } }']));
    expect(compile(new Map([['en', areas]])).faults).toEqual([
      'en/images.json: job: another file has this, too',
    ]);
  });

  it('a field fault with more than texts of the server', () => {
    const json = '{ "fieldFault": { "TOO_LONG": "{n, number}" } }';
    expect(compiledJson(json, json).faults[0]).toBe(
      'en/jobs.json: fieldFault.TOO_LONG: parameters are written {name} here: the server gives their texts',
    );
  });
});
