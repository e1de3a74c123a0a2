import { describe, expect, it } from 'vitest';
import { workSpace } from './space.ts';

const REFUSED = { kind: 'unavailable', code: 'DISK_RESERVE', retryAfter: 60 };

function diskWith(free: number, reserve = 100) {
  const disk = { total: 1000, free, reserve };
  return { disk, space: workSpace({ look: async () => ({ ...disk }) }) };
}

describe('F6: room on the disk', () => {
  it.each([
    [100, 0, true],
    [99, 0, false],
    [150, 50, true],
    [150, 51, false],
  ])('with %i bytes free %i more are granted: %s', async (free, bytes, granted) => {
    const asked = diskWith(free).space.assert(bytes);
    await (granted ? expect(asked).resolves.toBeUndefined() : expect(asked).rejects.toMatchObject(REFUSED));
  });

  it('is not promised twice', async () => {
    const { disk, space } = diskWith(200);
    const claim = await space.claim(60);
    await expect(space.claim(60)).rejects.toMatchObject(REFUSED);
    disk.free = 140;
    await claim.wrote(60);
    await expect(space.claim(60)).rejects.toMatchObject(REFUSED);
    await space.claim(40);
  });

  it('that was promised and not used is there again', async () => {
    const { space } = diskWith(200);
    const claim = await space.claim(60);
    await claim.wrote(10);
    claim.release();
    claim.release();
    await expect(space.claim(100)).resolves.toBeDefined();
  });

  it('that others have filled meanwhile ends what is being written', async () => {
    const { disk, space } = diskWith(200);
    const claim = await space.claim(60);
    disk.free = 99;
    await expect(claim.wrote(10)).rejects.toMatchObject(REFUSED);
    expect(await space.isShort()).toBe(true);
  });
});
