import { PREDICATE_TYPES } from '@portcullis/domain';
import { copy, type Descriptor, type Digest, referrersTag } from '@portcullis/oci';
import { unavailable } from '@portcullis/oci/errors';
import { createMemoryStore } from '@portcullis/oci/memory';
import { expect, it } from 'vitest';
import { attachByTag, attachReferrer, sampleRepository } from '../repository.fixture.ts';
import {
  bundleLayer,
  DSSE,
  envelope,
  keyBundle,
  sampleKey,
  statement,
} from '../signing.fixture.ts';
import { withoutStatements } from './without-statements.ts';

const [former, ours, theirs] = [sampleKey(), sampleKey(), sampleKey()];
const keys = async () => [former.pem, ours.pem];

interface Said {
  about?: Digest;
  predicateType?: string;
}

function said(key: typeof ours, digest: Digest, { about = digest, ...more }: Said = {}) {
  const dsse = envelope(
    key,
    statement(about, { predicateType: PREDICATE_TYPES.verdict, predicate: {}, ...more }),
  );
  const annotations = { 'dev.cosignproject.cosign/signature': '' };
  const underTag = { mediaType: DSSE, bytes: Buffer.from(JSON.stringify(dsse)), annotations };
  return { bundle: bundleLayer(keyBundle(dsse)), underTag };
}

type Sample = Awaited<ReturnType<typeof sampleRepository>>;

/** Which of these the copy has. */
async function copied({ store, image }: Sample, manifests: readonly Descriptor[]) {
  const target = createMemoryStore();
  const result = await copy(withoutStatements(store, keys), image.digest, target, {
    includeReferrers: true,
  });
  expect(result.leftBehind).toEqual([]);
  const tag = `${referrersTag(image.digest)}.att`;
  const tagged = target.tags.has(tag) ? await target.resolve(tag) : null;
  const bytes = tagged && target.contents.get(tagged.digest);
  const { layers = [] } = bytes ? JSON.parse(Buffer.from(bytes).toString()) : {};
  return {
    has: manifests.map(({ digest }) => target.contents.has(digest)),
    layers: layers.length,
    isTagged: tagged !== null,
  };
}

it.each<[string, typeof ours, Said, boolean]>([
  ['a statement of the key that signs stays behind', ours, {}, false],
  ['and one of a key that signed before', former, {}, false],
  ['what another key says is copied', theirs, {}, true],
  ['and what our key signed that is none of our statements', ours, { predicateType: 'x' }, true],
  [
    'one about another image stays behind as well',
    ours,
    { about: `sha256:${'a'.repeat(64)}` as const },
    false,
  ],
])('%s', async (_, key, says, isCopied) => {
  const sample = await sampleRepository();
  const { bundle, underTag } = said(key, sample.image.digest, says);
  const referrer = await attachReferrer(sample, [bundle]);
  await attachByTag(sample, 'att', [underTag]);
  const { has, isTagged } = await copied(sample, [referrer]);
  expect([...has, isTagged]).toEqual([isCopied, isCopied]);
});

it('what others attested under the tag is copied without ours, and a referrer with both is not', async () => {
  const sample = await sampleRepository();
  const [own, other] = [ours, theirs].map((key) => said(key, sample.image.digest));
  if (!own || !other) throw new Error('two were made');
  const mixed = await attachReferrer(sample, [other.bundle, own.bundle]);
  await attachByTag(sample, 'att', [other.underTag, own.underTag]);
  expect(await copied(sample, [mixed])).toEqual({ has: [false], layers: 1, isTagged: true });
});

it('while the source does not answer, no list is given', async () => {
  const sample = await sampleRepository();
  const { store, image } = sample;
  await attachReferrer(sample, [said(ours, image.digest).bundle]);
  const fetch = () => Promise.reject(unavailable('DOWN', 'no'));
  const source = withoutStatements({ ...store, fetch }, keys);
  await expect(source.referrers?.(image.digest)).rejects.toMatchObject({ code: 'DOWN' });
});
