import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonMembers } from './json-members.ts';

async function membersOf(text: string, wanted: string[], size = 1_000_000) {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const members: [string, unknown][] = [];
  for await (const member of jsonMembers(Readable.from(chunks), wanted))
    members.push([member.key, JSON.parse(member.text)]);
  return members;
}

it('elements of an array are separate members, and other keys are left out', async () => {
  const text = '{"a": [1, {"b": [2]}, "x]"], "left": [3], "c": {"d": ["}"]}, "e": -1.5e3, "f": []}';
  expect(await membersOf(text, ['a', 'c', 'e', 'f'])).toEqual([
    ['a', 1],
    ['a', { b: [2] }],
    ['a', 'x]'],
    ['c', { d: ['}'] }],
    ['e', -1500],
  ]);
});

it('any object is split as its parser reads it, however its bytes are cut', async () => {
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(
      object,
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      async (made, size, isWide) => {
        const text = JSON.stringify(made, null, isWide ? 2 : 0);
        const expected = Object.entries(JSON.parse(text)).flatMap(([key, value]) =>
          Array.isArray(value) ? value.map((each) => [key, each]) : [[key, value]],
        );
        expect(await membersOf(text, Object.keys(made), size)).toEqual(expected);
      },
    ),
  );
});

it.each([
  ['that ends too early', '{"a": [1, 2'],
  ['that is no object', '[1]'],
  ['with something behind it', '{"a": 1} 2'],
  ['that is empty', ''],
])('a document %s is refused', async (_, text) => {
  await expect(membersOf(text, ['a'])).rejects.toMatchObject({ code: 'SCAN_REPORT_INVALID' });
});
