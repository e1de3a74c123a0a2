/** More writes during a collection than one batch reads. */
import { expect, it } from 'vitest';
import {
  image,
  isWhole,
  push,
  putTag,
  REPOSITORY,
  registryLock,
  startSwept,
  sweep,
} from './sweep-directory.fixture.ts';

startSwept();

it('more writes than one batch reads are kept as well', async () => {
  const images = await Promise.all(Array.from({ length: 150 }, (_, n) => image(`many ${n}`)));
  for (const each of images) await push(null, each);
  await sweep(async () => {
    await registryLock.write(async () => {
      for (const [n, each] of images.entries()) {
        await registryLock.touches(REPOSITORY, [each.digest]);
        await putTag(`many-${n}`, each);
      }
    });
  });
  for (const each of images) expect(await isWhole(each)).toBe(true);
});
