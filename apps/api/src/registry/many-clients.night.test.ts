/** Many clients push into one repository at once, each its own image and tag. */

import { json, pushImage, randomImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { published, startApi, type TestApi } from '../api.fixture.ts';

const CLIENTS = 120;
const REPOSITORY = 'team/app';

let api: TestApi;
const credentials = { username: 'ci', password: 'pass-of-ci' };

beforeAll(async () => {
  api = await startApi();
  await api.grant(await api.account('ci'), 'team', { canPull: true, canPush: true });
});
afterAll(() => api?.stop());

const audited = async () =>
  (await published(api, 10 * CLIENTS)).filter(({ event }) => event === 'image.push');

/** All pages of `tags/list`. */
async function listed(n: number): Promise<string[]> {
  const authorization = `Basic ${Buffer.from('ci:pass-of-ci').toString('base64')}`;
  const tags: string[] = [];
  for (let path = `/v2/${REPOSITORY}/tags/list?n=${n}`; path !== ''; ) {
    const page = await fetch(api.url + path, { headers: { authorization } });
    tags.push(...(await json(page)).tags);
    path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  }
  return tags;
}

it(`${CLIENTS} images that as many clients push at once are all served, indexed and audited`, async () => {
  const pushed = new Map<string, TestImage>();
  for (let nth = 0; nth < CLIENTS; nth += 1)
    pushed.set(`t${nth}`, await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' }));
  const tags = [...pushed.keys()].sort();
  await Promise.all(
    tags.map((tag) =>
      pushImage(api.url, REPOSITORY, tag, pushed.get(tag) as TestImage, { credentials }),
    ),
  );

  expect(await listed(50)).toEqual(tags);
  expect(await api.store.images.tagNames(REPOSITORY)).toEqual(
    tags.map((tag) => ({ tag, digest: pushed.get(tag)?.digest })),
  );
  expect(await api.store.images.find(REPOSITORY)).toMatchObject({ tagCount: CLIENTS });
  await expect.poll(async () => (await audited()).length).toBe(CLIENTS);
  const events = await audited();
  expect(events.map(({ detail }) => detail.reference).sort()).toEqual(tags);
  expect(new Set(events.map(({ outcome }) => outcome))).toEqual(new Set(['success']));
});
