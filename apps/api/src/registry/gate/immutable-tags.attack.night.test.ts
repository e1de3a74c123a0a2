/** Immutable tags against pushes and deletions at the same time. */
import { describe, expect, it } from 'vitest';
import {
  api,
  digestAt,
  first,
  other,
  proxied,
  put,
  remove,
  startImmutable,
} from './immutable-tags.fixture.ts';

startImmutable();

describe('an immutable tag', () => {
  it('is not created twice by pushes at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const tag = `v5.${round}`;
      const rivals = [first, other];
      const pushes = [0, 1, 2, 3].map(async (nth) => {
        const pushed = rivals[nth % 2] ?? first;
        const { status } = await put(nth < 2 ? api : proxied, tag, pushed);
        return { digest: pushed.digest, status };
      });
      const answers = await Promise.all(pushes);
      const made = answers.filter(({ status }) => status === 201).map(({ digest }) => digest);
      expect(answers.every(({ status }) => status === 201 || status === 403)).toBe(true);
      expect(new Set(made).size).toBeLessThanOrEqual(1);
      expect(await digestAt(tag)).toBe(made[0]);
    }
  });

  it('is not lost to a deletion of its digest at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      await put(api, first.digest, first);
      const tag = `v6.${round}`;
      const [pushed] = await Promise.all([
        put(api, tag, first),
        remove(proxied, `manifests/${first.digest}`),
      ]);
      if (pushed.status === 201) expect(await digestAt(tag)).toBe(first.digest);
    }
  });
});
