import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { foldedName, misspelled } from './member-names.ts';
import { parseJson, parseStrictJson } from './parse-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const REFUSED = expect.objectContaining({ code: 'JSON_INVALID' });

describe('a document that two parsers may read differently is refused: it has', () => {
  it.each([
    ['a member twice', '{"layers":[],"layers":[1]}'],
    ['a member twice, once by an escape', String.raw`{"layers":[],"l\u0061yers":[1]}`],
    ['a member in two cases', '{"layers":[],"Layers":[1]}'],
    ['a member with a long s (U+017F)', '{"layers":[],"layer\u017F":[1]}'],
    ['a member with a Kelvin sign (U+212A)', '{"kind":1,"\u212Aind":2}'],
    ['an escaped long s', String.raw`{"rootfs":{},"rootf\u017f":{}}`],
    ['twins in an object of a list', '{"layers":[{"digest":"a","Digest":"b"}]}'],
    ['twins beneath lists of lists', '[[[{"a":{"b":1,"B":2}}]]]'],
    ['twins after a nested object', '{"a":{"x":1},"b":[{"y":2}],"A":3}'],
    ['twins behind a string with quotes and braces', String.raw`{"a":"\\\"}{,:","b":"\\","A":1}`],
    ['an annotation twice', '{"annotations":{"k":"1","k":"2"}}'],
    ['an annotation twice, once by an escape', String.raw`{"annotations":{"k":"1","\u006b":"2"}}`],
    ['twins beneath a value of an annotation', '{"annotations":{"k":{"a":1,"A":2}}}'],
    ['a name of half a character', String.raw`{"\ud800":1}`],
  ])('%s', async (_, text) => {
    await expect(parse(text)).rejects.toThrow(REFUSED);
  });
});

describe('a document that all parsers read alike is accepted, with', () => {
  it.each([
    ['annotations that differ in case alone', '{"annotations":{"a":"1","A":"2"}}'],
    ['labels that differ in case alone', '{"config":{"Labels":{"Vendor":"1","vendor":"2"}}}'],
    ['the same names in different objects', '{"a":{"x":1},"b":{"x":2},"c":[{"x":3},{"x":4}]}'],
    ['names within strings', String.raw`{"a":"\"a\":1,\"a\":2"}`],
    ['names that differ in an accent', '{"é":1,"e":2}'],
    [
      'two thousand members',
      `{${Array.from({ length: 2000 }, (_, at) => `"m${at}":${at}`).join()}}`,
    ],
    ['a number alone', '1'],
  ])('%s', async (_, text) => {
    expect(await parse(text)).toEqual(JSON.parse(text));
  });
});

describe('a document is refused early where it', () => {
  it.each([
    ['nests two million deep', '['.repeat(2_000_000)],
    ['nests objects 33 deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['has an object of a hundred thousand members', `{${members(100_000)}}`],
    ['has a hundred thousand annotations', `{"annotations":{${members(100_000)}}}`],
    ['has a million elements', `[${'1,'.repeat(1_000_000)}1]`],
    ['has a quarter of a million empty lists', `[${'[],'.repeat(250_000)}[]]`],
  ])('%s', async (_, text) => {
    await expect(parse(text)).rejects.toThrow(REFUSED);
  });
});

describe('a document in which colons follow no name is refused with one look at each string:', () => {
  const name = `"\\n${'a'.repeat(50_000)}"`;

  it.each([
    ['thousands of colons after one string', `[${name}${':'.repeat(50_000)}]`],
    ['colons alone in thousands of objects', `{"x":[${name},${'{:},'.repeat(20_000)}1]}`],
    ['colons after a string that is no member', `${name}${':'.repeat(50_000)}`],
  ])('%s', async (_, text) => {
    const read = vi.spyOn(JSON, 'parse');
    await expect(parse(text)).rejects.toThrow(REFUSED);
    expect(read.mock.calls.length).toBeLessThan(2);
  });
});

function members(count: number): string {
  return Array.from({ length: count }, (_, at) => `"m${at}":"x"`).join();
}

it.each([
  ['is no JSON', Buffer.from('{')],
  ['is no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['has a byte order mark', Buffer.from('\uFEFF{}')],
  ['is empty', Buffer.alloc(0)],
  ['has an escape that is none as a name', Buffer.from(String.raw`{"\x":1}`)],
])('what %s is refused', async (_, bytes) => {
  await expect(parseStrictJson(bytes)).rejects.toThrow(REFUSED);
});

it('any value is parsed as JSON.parse does, or refused for its names alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue({ maxDepth: 6 }),
      fc.constantFrom(0, 1),
      async (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        if (hasTwins(value)) await expect(parse(text)).rejects.toThrow(REFUSED);
        else expect(await parse(text)).toEqual(JSON.parse(text));
      },
    ),
  );
});

it('a repeated member in another spelling is found at any position', async () => {
  const spelling = fc.constantFrom(
    'digest',
    'Digest',
    'DIGEST',
    'dige\u017Ft',
    'DIGE\u017FT',
    'd\\u0069gest',
  );
  const filler = fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 3,
  });
  const depth = fc.array(fc.constantFrom('list', 'member'), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(spelling, spelling, filler, depth, async (one, other, rest, path) => {
      const between = JSON.stringify(rest).slice(1, -1);
      const object = `{"${one}":"a",${between === '' ? '' : `${between},`}"${other}":"b"}`;
      const text = path.reduce(
        (inner, each) => (each === 'list' ? `[1,${inner}]` : `{"in":${inner}}`),
        object,
      );
      fc.pre(!hasTwins(rest));
      await expect(parse(text)).rejects.toThrow(REFUSED);
    }),
  );
});

function hasTwins(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return (
    new Set(names.map(foldedName)).size < names.length ||
    names.some((name) => !name.isWellFormed()) ||
    Object.values(value).some(hasTwins)
  );
}

it.each([
  ['Layers', 'Layers'],
  ['layer\u017F', 'layer\u017F'],
  ['layers', undefined],
  ['strata', undefined],
])('the member %s is misspelled: %s', (name, expected) => {
  expect(misspelled({ [name]: 1 }, new Set(['layers']))).toBe(expected);
});

describe('lenient parsing accepts what JSON.parse does', () => {
  const outcomeOf = (text: string) => {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return 'refused';
    }
  };
  const lenient = (bytes: Uint8Array) =>
    parseJson(bytes).then(
      (value) => ({ value }),
      () => 'refused',
    );

  it.each([
    ...[
      '',
      ' ',
      '[',
      ']',
      '{',
      '}',
      '[1,]',
      '[,1]',
      '{"a":1,}',
      '{"a"}',
      '{"a":}',
      '{1:2}',
      '[1 2]',
    ],
    ...['01', '-', '-0', '0', '1.', '.5', '1.5e3', '1e999', '9007199254740993', '00', '+1', '0x1'],
    ...['tru', 'true', 'nul', 'null', 'false ', 'NaN', '1 1', '[]]', '{}{}', '"a', '"a\nb"'],
    ...[String.raw`"\u00e9\"\\"`, String.raw`"\x"`, '"\\', '\uFEFF[]', '"\t"', '[\u00a01]'],
    ...['{"a":1,"a":2,"A":3}', '{"__proto__":{"a":1}}', '{"":[]}', '"\ud800"', '{"é":"日本 🐳"}'],
  ])('%j', async (text) => {
    expect(await lenient(Buffer.from(text))).toEqual(outcomeOf(text.toWellFormed()));
  });

  it('of any text made of its tokens', async () => {
    const token = fc.constantFrom(...'{}[],:', '"a"', '"b"', '1', '-1.5', 'true', ' ', '"\\u0061"');
    await fc.assert(
      fc.asyncProperty(fc.array(token, { maxLength: 12 }), async (tokens) => {
        const text = tokens.join('');
        expect(await lenient(Buffer.from(text))).toEqual(outcomeOf(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('where a string is not UTF-8', async () => {
    const bytes = Buffer.from([0x5b, 0x22, 0x61, 0xff, 0x22, 0x5d]);
    expect(await parseJson(bytes)).toEqual(JSON.parse(bytes.toString('utf8')));
  });

  it('ten thousand deep, and no deeper', async () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    await expect(parseJson(nested(10_000))).resolves.toBeInstanceOf(Array);
    await expect(parseJson(nested(10_001))).rejects.toThrow(REFUSED);
  });
});
