import type { Descriptor } from '@portcullis/oci';
import { parseDigest } from '@portcullis/oci';
import { describe, expect, it } from 'vitest';
import { leftByPulls, type PullPromises, pullRoom } from './pull-room.ts';
import { workSpace } from './space.ts';

const REFUSED = { code: 'DISK_RESERVE' };

/** A disk of 1,000 bytes with a reserve of 100, of which pulls leave 200 free. */
function disk(free: number) {
  return { total: 1_000, free, reserve: 100 };
}

/** The workers of one DATA_DIR. `freed`: what there is to be removed. */
function workersOn(place: ReturnType<typeof disk> & { freed?: number }) {
  const told = new Map<number, PullPromises>();
  const clock = { now: 1_000_000 };
  const made: number[] = [];
  const look = async () => ({ ...place });
  const worker = (number: number) =>
    pullRoom({
      disk: { look },
      space: workSpace({ look }),
      async makeRoom(bytes) {
        made.push(bytes);
        const freed = Math.min(bytes, place.freed ?? 0);
        place.free += freed;
        place.freed = (place.freed ?? 0) - freed;
        return freed;
      },
      async exchange(own) {
        told.set(number, own);
        return [...told].flatMap(([other, theirs]) => (other === number ? [] : [theirs]));
      },
      now: () => clock.now,
    });
  return { worker, clock, made, place };
}

function blob(name: string, size: number): Descriptor {
  const digest = parseDigest(`sha256:${name.padStart(64, '0')}`);
  return { mediaType: 'application/octet-stream', digest, size };
}

const job = (createdAt: number) => ({ jobId: `j${createdAt}`, createdAt });

describe('N2: pulls', () => {
  it.each([
    [{ total: 1_000, free: 0, reserve: 100 }, 200],
    [{ total: 1_000, free: 0, reserve: 800 }, 850],
    [{ total: 1_000, free: 0, reserve: 2_000 }, 2_000],
  ])('of %j leave %i bytes free', (space, left) => {
    expect(leftByPulls(space)).toBe(left);
  });

  it('are admitted with all their blobs, or not at all', async () => {
    const room = workersOn(disk(500)).worker(1);
    await room.enter(job(1)).admit([blob('a', 100), blob('b', 100)]);
    await expect(room.enter(job(2)).admit([blob('c', 60), blob('d', 60)])).rejects.toMatchObject(
      REFUSED,
    );
    await room.enter(job(0)).admit([blob('e', 100)]);
  });

  it('share the room of blobs that several have', async () => {
    const room = workersOn(disk(500)).worker(1);
    const base = blob('a', 250);
    await room.enter(job(1)).admit([base, blob('b', 20)]);
    await room.enter(job(2)).admit([base, blob('c', 20)]);
    await expect(room.enter(job(3)).admit([base, blob('d', 20)])).rejects.toMatchObject(REFUSED);
  });

  it('that ask at the same time see each other', async () => {
    const room = workersOn(disk(500)).worker(1);
    const asked = ['a', 'b', 'c'].map((name, at) => room.enter(job(at)).admit([blob(name, 120)]));
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('of another worker on the DATA_DIR keep their room', async () => {
    const { worker } = workersOn(disk(500));
    await worker(1)
      .enter(job(1))
      .admit([blob('a', 200)]);
    await expect(
      worker(2)
        .enter(job(2))
        .admit([blob('b', 200)]),
    ).rejects.toMatchObject(REFUSED);
    await worker(2)
      .enter(job(0))
      .admit([blob('b', 100)]);
  });

  it('write what they were admitted for, and give back the rest', async () => {
    const { worker, place } = workersOn(disk(500));
    const room = worker(1);
    const entry = room.enter(job(1));
    const [first, second] = [blob('a', 200), blob('b', 100)];
    await entry.admit([first, second]);
    const claim = await room.claim(200, first.digest);
    place.free -= 200;
    await claim.wrote(200);
    claim.release();
    await expect(room.enter(job(2)).admit([blob('c', 1)])).rejects.toMatchObject(REFUSED);
    entry.leave();
    await room.enter(job(2)).admit([blob('c', 100)]);
  });

  it('stop where other programs took their room', async () => {
    const { worker, place } = workersOn(disk(500));
    const room = worker(1);
    const first = blob('a', 200);
    await room.enter(job(1)).admit([first]);
    place.free = 299;
    await expect(room.claim(200, first.digest)).rejects.toMatchObject(REFUSED);
  });

  it('begin once room was made for them', async () => {
    const { worker, made } = workersOn({ ...disk(250), freed: 400 });
    await worker(1)
      .enter(job(1))
      .admit([blob('a', 300)]);
    expect(made).toEqual([250]);
  });

  it('wait for the oldest one that was refused, in every worker, until it is forgotten', async () => {
    const { worker, clock, place } = workersOn(disk(300));
    const [one, other] = [worker(1), worker(2)];
    await expect(one.enter(job(1)).admit([blob('a', 400)])).rejects.toMatchObject(REFUSED);
    for (const room of [one, other])
      await expect(room.enter(job(2)).admit([blob('b', 50)])).rejects.toMatchObject(REFUSED);
    place.free = 700;
    await other.enter(job(2)).admit([blob('b', 50)]);
    await one.enter(job(1)).admit([blob('a', 400)]);
    await expect(one.enter(job(3)).admit([blob('c', 60)])).rejects.toMatchObject(REFUSED);
    clock.now += 91_000;
    await one.enter(job(4)).admit([blob('d', 50)]);
  });

  it('that were refused ask again without asking their source', async () => {
    const { worker, place } = workersOn(disk(300));
    const room = worker(1);
    await room.enter(job(1)).admit([]);
    await expect(room.enter(job(1)).admit([blob('a', 200)])).rejects.toMatchObject(REFUSED);
    await expect(room.enter(job(1)).admit([])).rejects.toMatchObject(REFUSED);
    place.free = 400;
    await room.enter(job(1)).admit([]);
  });

  it('that are larger than the empty disk fail', async () => {
    const room = workersOn(disk(300)).worker(1);
    await expect(room.enter(job(1)).admit([blob('a', 801)])).rejects.toMatchObject({
      code: 'DISK_TOO_SMALL',
    });
    await room.enter(job(2)).admit([blob('b', 100)]);
  });

  it('are paused while less than the reserve is free, although room was made', async () => {
    const { worker, place } = workersOn({ ...disk(50), freed: 30 });
    expect(await worker(1).isShort()).toBe(true);
    place.freed = 100;
    expect(await worker(1).isShort()).toBe(false);
    expect(place.free).toBeGreaterThanOrEqual(100);
  });
});
