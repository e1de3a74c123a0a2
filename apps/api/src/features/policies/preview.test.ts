/** The bounds of a preview, over a registry that never ends. */
import { DEFAULT_POLICY, defaultPolicy } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { createPolicyPreview } from './preview.ts';

const BY_DEFAULT = defaultPolicy(DEFAULT_POLICY);
const DRAFT = { policyId: undefined, folder: undefined, terms: BY_DEFAULT };
const FEEDS = { kev: null, epss: null };

interface Leaving {
  left: AbortSignal;
  onPage(): void;
}
const STAYS: Leaving = { left: new AbortController().signal, onPage() {} };

/** Each page of images takes so many milliseconds. */
function previewOf(images: number, msPerPage: number, { left: gone, onPage }: Leaving = STAYS) {
  let clock = 0;
  let left = images;
  return createPolicyPreview({
    rules: async () => ({
      defaultPolicy: BY_DEFAULT,
      policyOf: () => BY_DEFAULT,
      gateOf: () => ({
        policyId: null,
        pushGate: 'report',
        pullGate: 'off',
        immutableTags: [],
        quotaBytes: null,
        statements: 'off' as const,
      }),
      waivers: [],
      feeds: FEEDS,
      authorities: new Map(),
    }),
    feeds: () => FEEDS,
    now: () => new Date('2026-11-22T12:00:00Z'),
    clock: () => clock,
    store: {
      policies: { find: async () => null },
      folders: { names: async () => ['team'] },
      reports: { facts: async () => new Map() },
      authorities: { current: async () => new Map() },
      images: {
        countTaggedDigests: async () => images,
        tagNames: async () => [],
        async taggedDigests({ limit }) {
          clock += msPerPage;
          onPage();
          const count = Math.min(limit, left);
          left -= count;
          return Array.from({ length: count }, (_, at) => ({
            repository: `team/app${left + at}`,
            digest: 'sha256:a',
            folder: 'team',
            isArtifact: false,
          }));
        },
      },
    },
  })(DRAFT, gone);
}

it.each([
  ['all images that there are', 1_234, 1, { judged: 1_234, complete: true }],
  ['20,000 images at most', 30_000, 1, { judged: 20_000, complete: false }],
  ['the images of 5 seconds at most', 30_000, 1_000, { judged: 300, complete: false }],
  ['no image where there is none', 0, 1, { judged: 0, complete: true }],
])('a preview judges %s', async (_, images, msPerPage, expected) => {
  const { judged, complete, unscanned } = await previewOf(images, msPerPage);
  expect({ judged, complete }).toEqual(expected);
  expect(unscanned).toBe(judged);
});

it('a preview whose client has left reads no further page', async () => {
  const client = new AbortController();
  let pages = 0;
  const onPage = () => {
    pages += 1;
    if (pages === 3) client.abort();
  };
  const preview = previewOf(30_000, 1, { left: client.signal, onPage });
  await expect(preview).rejects.toMatchObject({ name: 'AbortError' });
  expect(pages).toBe(3);
});
