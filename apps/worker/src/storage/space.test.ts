import { describe, expect, it } from 'vitest';
import { workSpace } from './space.ts';

const REFUSED = { kind: 'unavailable', code: 'DISK_RESERVE', retryAfter: 60 };

function diskWith(free: number, reserve = 100) {
  const disk = { total: 1000, free, reserve };
  return { disk, space: workSpace({ look: async () => ({ ...disk }) }) };
}

describe('F6: disk space', () => {
  it.each([
    [100, 0, true],
    [99, 0, false],
    [150, 50, true],
    [150, 51, false],
  ])('with %i bytes free a claim of %i more succeeds: %s', async (free, bytes, granted) => {
    const claim = diskWith(free).space.assert(bytes);
    await (granted
      ? expect(claim).resolves.toBeUndefined()
      : expect(claim).rejects.toMatchObject(REFUSED));
  });

  it('is not granted twice', async () => {
    const { disk, space } = diskWith(200);
    const claim = await space.claim(60);
    await expect(space.claim(60)).rejects.toMatchObject(REFUSED);
    disk.free = 140;
    await claim.wrote(60);
    await expect(space.claim(60)).rejects.toMatchObject(REFUSED);
    await space.claim(40);
  });

  it('is not granted twice to concurrent claims on one reading', async () => {
    const { space } = diskWith(200);
    const claims = await Promise.allSettled([space.claim(60), space.claim(60), space.claim(40)]);
    expect(claims.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('that was claimed and not used is released', async () => {
    const { space } = diskWith(200);
    const claim = await space.claim(60);
    await claim.wrote(10);
    claim.release();
    claim.release();
    await expect(space.claim(100)).resolves.toBeDefined();
  });

  it('that other programs used meanwhile ends a running write', async () => {
    const { disk, space } = diskWith(200);
    const claim = await space.claim(60);
    disk.free = 99;
    await expect(claim.wrote(10)).rejects.toMatchObject(REFUSED);
  });
});
