import type { PushView } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { pushedImage } from './pushed-image.ts';

const push = (more: Partial<PushView>): PushView => ({
  ...{ id: '0', status: 'done', destination: '', registry_id: '__local__' },
  ...{ target_image: 'team/app', target_tag: '1.0', digest: 'sha256:2' },
  ...{ bytes_done: 0, bytes_total: 0, bytes_mounted: 0, error: null },
  ...{ bypassed: null, bypass_reason: null, waivers: [], requested_by: 'ann' },
  ...{ created_at: '2026-05-01T00:00:00Z', finished_at: null },
  ...more,
});

it.each([
  ['the newest push to the built-in registry', [push({}), push({ target_image: 'team/new' })]],
  ['no push that failed later', [push({ target_image: 'team/new' }), push({ status: 'failed' })]],
  [
    'no push to another registry',
    [push({ target_image: 'team/new' }), push({ registry_id: null })],
  ],
])('is of %s', (_, pushes) => {
  expect(pushedImage({ pushes, digest: 'sha256:1' })).toEqual({
    repository: 'team/new',
    digest: 'sha256:2',
  });
});

it('has the digest of the job where the push names none', () => {
  expect(pushedImage({ pushes: [push({ digest: null })], digest: 'sha256:1' })?.digest).toBe(
    'sha256:1',
  );
});

it('is unknown without a push', () => {
  expect(pushedImage({ pushes: [], digest: 'sha256:1' })).toBeNull();
});
