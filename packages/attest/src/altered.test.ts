/** No byte of a genuine signature can be changed so that it counts for more, or that we throw. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenedAuthority } from './authority/open-authority.ts';
import { factsOf, keyAuthority, opened } from './facts.fixture.ts';
import { dsseBody, ISSUER, keylessBundle, SUBJECT, sampleSigstore } from './keyless.fixture.ts';
import { coseLayer, issueRoot, jwsLayer, NOTARY } from './notary.fixture.ts';
import {
  attachByTag,
  attachReferrer,
  type LayerInput,
  sampleRepository,
} from './repository.fixture.ts';
import {
  bundleLayer,
  DSSE,
  envelope,
  keyBundle,
  sampleKey,
  simpleSigning,
  simpleSigningLayer,
  statement,
} from './signing.fixture.ts';

type Sample = Awaited<ReturnType<typeof sampleRepository>>;
type Attach = (to: Sample, layer: LayerInput) => Promise<unknown>;

interface Genuine {
  readonly layer: LayerInput;
  readonly attach: Attach;
  readonly authority: OpenedAuthority;
}

const byTag =
  (suffix: 'sig' | 'att'): Attach =>
  (to, layer) =>
    attachByTag(to, suffix, [layer]);
const byReferrer =
  (type?: string): Attach =>
  (to, layer) =>
    attachReferrer(to, [layer], type);
const genuine = new Map<string, Genuine>();

beforeAll(async () => {
  const { image } = await sampleRepository();
  const key = sampleKey();
  const authority = keyAuthority(key.pem);
  const signed = envelope(key, statement(image.digest));
  const annotations = { 'dev.cosignproject.cosign/signature': '' };
  genuine.set('a signature under a tag', {
    layer: simpleSigningLayer(key, simpleSigning(image.digest)),
    attach: byTag('sig'),
    authority,
  });
  genuine.set('an attestation under a tag', {
    layer: { mediaType: DSSE, bytes: Buffer.from(JSON.stringify(signed)), annotations },
    attach: byTag('att'),
    authority,
  });
  genuine.set('a bundle of a key', {
    layer: bundleLayer(keyBundle(signed)),
    attach: byReferrer(),
    authority,
  });

  const sigstore = await sampleSigstore();
  const signer = await sigstore.signer();
  const kept = envelope(signer, statement(image.digest));
  const root = sigstore.root();
  genuine.set('a bundle of a workflow', {
    layer: bundleLayer(
      keylessBundle(signer, kept, { entries: [await sigstore.entry(dsseBody(signer, kept))] }),
    ),
    attach: byReferrer(),
    authority: opened({ name: 'ci', kind: 'keyless', issuer: ISSUER, subject: SUBJECT, root }),
  });

  const vendor = await issueRoot();
  const chain = [await vendor.issue({}), vendor];
  const store = opened({ name: 'v', kind: 'certificate', store: vendor.pem, identities: ['*'] });
  for (const [name, write] of [
    ['JWS', jwsLayer],
    ['COSE', coseLayer],
  ] as const) {
    const layer = await write({ chain, target: image });
    genuine.set(name, { layer, attach: byReferrer(NOTARY), authority: store });
  }
});

/** Writes over a few bytes, cuts some out, or repeats some. */
const change = fc.record({
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  removed: fc.nat(4),
  added: fc.uint8Array({ maxLength: 4 }),
});

function alter(
  bytes: Uint8Array,
  { at, removed, added }: typeof change extends fc.Arbitrary<infer T> ? T : never,
) {
  const from = Math.floor(at * bytes.length);
  return Buffer.concat([bytes.subarray(0, from), added, bytes.subarray(from + removed)]);
}

describe.each([
  'a signature under a tag',
  'an attestation under a tag',
  'a bundle of a key',
  'a bundle of a workflow',
  'JWS',
  'COSE',
])('%s', (name) => {
  it('counts as it is, altered for the same signer at most, and never throws', async () => {
    const made = genuine.get(name);
    if (!made) throw new Error(name);
    const answer = async (bytes: Uint8Array) => {
      const repository = await sampleRepository();
      await made.attach(repository, { ...made.layer, bytes });
      const [fact] = await factsOf(repository, [made.authority]);
      return fact?.verified ?? null;
    };
    const verified = await answer(made.layer.bytes);
    expect(verified).not.toBeNull();
    await fc.assert(
      fc.asyncProperty(change, async (altering) => {
        const answered = await answer(alter(made.layer.bytes, altering));
        if (answered) expect(answered.signer).toEqual(verified?.signer);
      }),
      { numRuns: 200 },
    );
  });
});
