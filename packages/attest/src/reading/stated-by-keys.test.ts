/** What this installation stated is recognised in each form that a reader elsewhere may accept. */
import { generateKeyPairSync } from 'node:crypto';
import { PREDICATE_TYPES } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { openPublicKeys } from '../authority/public-keys.ts';
import { envelope, keyBundle, sampleKey, statement } from '../signing.fixture.ts';
import { isStatedBy } from './stated-by-keys.ts';

const [ours, theirs] = [sampleKey(), sampleKey()];
const keys = openPublicKeys(ours.pem);
const VERDICT = { predicateType: PREDICATE_TYPES.verdict, predicate: {} };
const DIGEST = `sha256:${'a'.repeat(64)}` as const;

const signed = envelope(ours, statement(DIGEST, VERDICT));
const other = envelope(theirs, statement(DIGEST, VERDICT));
const [sig] = signed.signatures;
const lines = (text: string) => text.replaceAll(/.{1,76}/g, '$&\n');
const escaped = (text: string) =>
  JSON.stringify(text).replace(/[A-Za-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

it.each<[string, unknown]>([
  ['an envelope', signed],
  ['a bundle', keyBundle(signed)],
  ['a bundle of an unknown type', keyBundle(signed, { mediaType: 'application/x' })],
  [
    'an envelope that a stranger signed as well',
    { ...signed, signatures: [...other.signatures, sig] },
  ],
  [
    'names that Go takes for the known ones',
    { PAYLOAD: signed.payload, Signatures: [{ SIG: sig?.sig }] },
  ],
  [
    'base64 in lines',
    { payload: lines(signed.payload), signatures: [{ sig: lines(sig?.sig ?? '') }] },
  ],
  [
    'base64 of addresses',
    { ...signed, payload: Buffer.from(signed.payload, 'base64').toString('base64url') },
  ],
  ['one of several envelopes', { all: [other, signed] }],
  ['more signatures than are verified', { ...other, signatures: many(17) }],
])('recognised is %s', async (_, document) => {
  expect(await isStatedBy(keys, Buffer.from(`\n ${JSON.stringify(document)} `))).toBe(true);
});

it('recognised are letters that are escaped', async () => {
  const text = `{"payload":${escaped(signed.payload)},"signatures":[{"sig":"${sig?.sig}"}]}`;
  expect(await isStatedBy(keys, Buffer.from(text))).toBe(true);
});

it.each<[string, unknown]>([
  ['an envelope of another key', other],
  ['what our key signed that is none of our statements', envelope(ours, statement(DIGEST))],
  ['our statement with a signature of another', { ...signed, signatures: other.signatures }],
  ['a signature without its statement', { signatures: [sig] }],
  ['many envelopes of others', { all: Array.from({ length: 50 }, () => other) }],
  ['a list of packages', { bomFormat: 'CycloneDX', components: [{ name: 'curl' }] }],
])('not recognised is %s', async (_, document) => {
  expect(await isStatedBy(keys, Buffer.from(JSON.stringify(document)))).toBe(false);
});

it('neither is what is no JSON, however deep', async () => {
  expect(await isStatedBy(keys, Buffer.from('{'))).toBe(false);
  expect(
    await isStatedBy(keys, Buffer.from(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)),
  ).toBe(false);
});

it('a document of millions of values holds nothing up', async () => {
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  });
  const wide = `{"all":[${'{},'.repeat(300_000)}{}],"texts":[${'"a",'.repeat(300_000)}"a"]}`;
  expect(await isStatedBy(keys, Buffer.from(wide))).toBe(false);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(1);
});

function many(count: number): { sig: string }[] {
  return Array.from({ length: count }, () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = { ...ours, privateKey };
    return envelope(key, statement(DIGEST)).signatures[0] ?? { sig: '' };
  });
}
