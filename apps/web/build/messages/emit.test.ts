import { describe, expect, it } from 'vitest';
import { chooser, counter, numberIn } from '../../src/i18n/count.ts';
import type { Language } from '../../src/i18n/languages.ts';
import { emit } from './emit.ts';
import { parse } from './parse.ts';

/** Runs the code of a message, as a browser does. */
function shown(text: string, values: Readonly<Record<string, unknown>>, language: Language = 'en') {
  const helpers = {
    $count: counter(language),
    $choose: chooser(language),
    $number: numberIn(language),
  };
  const names = Object.keys({ ...helpers, ...values });
  const run = new Function(...names, `return ${emit(parse(text))};`);
  return run(...Object.values({ ...helpers, ...values }));
}

const JOBS = '{n, plural, one {# job is} other {# jobs are}} done';
const NONE = '{n, plural, =0 {nothing} =1 {just {name}} other {{name} and # more}}.';
const KIND = '{kind, select, pull {Pulled} push {Pushed} other {Scanned}} today';

describe('the code of a message shows', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['Images', {}, 'Images'],
    ['', {}, ''],
    ['Delete {name}?', { name: 'a{n}' }, 'Delete a{n}?'],
    ['{ name }', { name: 'alpine' }, 'alpine'],
    ['Line { n , number }', { n: 1815 }, 'Line 1,815'],
    [JOBS, { n: 0 }, '0 jobs are done'],
    [JOBS, { n: 1 }, '1 job is done'],
    [JOBS, { n: 1000 }, '1,000 jobs are done'],
    ['Delete {n, plural, one {the job} other {all # jobs}}?', { n: 2 }, 'Delete all 2 jobs?'],
    ['{n, plural, one {# job by {who}} other {#}}', { n: 1, who: 'ann' }, '1 job by ann'],
    ['{n, plural, one {# } other {# {who}}}', { n: 5, who: 'ann' }, '5 ann'],
    [NONE, { n: 0, name: 'a' }, 'nothing.'],
    [NONE, { n: 1, name: 'a' }, 'just a.'],
    [NONE, { n: 3, name: 'a' }, 'a and 3 more.'],
    [KIND, { kind: 'push' }, 'Pushed today'],
    [KIND, { kind: 'rescan' }, 'Scanned today'],
    ["It''s the user's '{name}' '<'here>", {}, "It's the user's {name} <here>"],
    ["{n, plural, other {'#'1: # '{''}'}}", { n: 7 }, "#1: 7 {'}"],
    ['A `quote` and a \\ of {name} #1', { name: 'b' }, 'A `quote` and a \\ of b #1'],
    ["$'{x}' {name}", { name: '$' }, `$${'{x}'} $`],
  ])('%s with %j: %s', (text, values, expected) => {
    expect(shown(text, values)).toBe(expected);
  });

  it.each([
    [0, '0 image bloquée'],
    [1, '1 image bloquée'],
    [2, '2 images bloquées'],
  ])('the form that the language has for %i', (n, expected) => {
    const text = '{n, plural, one {# image bloquée} other {# images bloquées}}';
    expect(shown(text, { n }, 'fr')).toBe(expected);
  });

  it('a counted word by one call', () => {
    expect(emit(parse('{n, plural, one {# job} other {# jobs}}'))).toBe('$count(n, "job", "jobs")');
  });
});
