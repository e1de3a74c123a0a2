/** `POST /images/{registry_id}/tags/delete`, with the real registry. */

import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, published } from '../../../api.fixture.ts';
import { type StartedImages, single, startImages } from '../images.fixture.ts';

const LOCAL = '/api/images/__local__';

let started: StartedImages;

beforeAll(async () => {
  started = await startImages();
});
afterAll(() => started?.stop());

it('deletes the tags, keeps the others of their digest, and says what did not exist', async () => {
  const { ann, api, push } = started;
  const image = await single();
  for (const tag of ['1', '1.0', '1.0.0', 'latest']) await push('team/many', tag, image);
  const body = { tags: ['1', '1.0', '1.0', 'none'] };
  expect(await json(ann.post(`${LOCAL}/tags/delete?repository=team/many`, body))).toEqual({
    ...{ done: 2, refused: 1, failed: 0 },
    reasons: [{ code: 'IMAGE_UNKNOWN', count: 1, tags: ['none'] }],
  });
  const left: { tag: string }[] = await json(ann.get(`${LOCAL}/tags?repository=team/many`));
  expect(left.map(({ tag }) => tag).sort()).toEqual(['1.0.0', 'latest']);
  const [event] = await published(api, 1);
  expect(event).toMatchObject({
    event: 'image.tag_delete',
    resource: { kind: 'image', name: 'team/many' },
    detail: { tags: body.tags, done: 2, refused: 1 },
  });
});

it('refuses tags that lead to another digest than the given one', async () => {
  const { ann, push } = started;
  const [old, newer] = [await single(), await single()];
  for (const tag of ['1.0', 'latest']) await push('team/moved', tag, old);
  await push('team/moved', 'latest', newer);
  const body = { tags: ['1.0', 'latest'], digest: old.digest };
  expect(await json(ann.post(`${LOCAL}/tags/delete?repository=team/moved`, body))).toEqual({
    ...{ done: 1, refused: 1, failed: 0 },
    reasons: [{ code: 'TAG_MOVED', count: 1, tags: ['latest'] }],
  });
  const left: { tag: string }[] = await json(ann.get(`${LOCAL}/tags?repository=team/moved`));
  expect(left).toMatchObject([{ tag: 'latest', digest: newer.digest }]);
});

it('is denied to an account without the right to push', async () => {
  const { bob, ann, push } = started;
  await push('team/kept', '1', await single());
  const request = bob.post(`${LOCAL}/tags/delete?repository=team/kept`, { tags: ['1'] });
  expect(await codeOf(request)).toEqual([403, 'FOLDER_FORBIDDEN']);
  expect(await json(ann.get(`${LOCAL}/tags?repository=team/kept`))).toHaveLength(1);
});
