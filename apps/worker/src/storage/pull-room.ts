/**
 * Admits pulls to the disk of DATA_DIR, each with all of its blobs: two that begin together would
 * otherwise both stop half way. Pulls leave more than the reserve free, so that scans, which make
 * room in the end, find theirs.
 */
import { missingRoom, pauseOfPull, type Room, type WaitingPull } from '@portcullis/domain';
import type { Descriptor, Digest } from '@portcullis/oci';
import type { SpaceClaims } from '@portcullis/oci/layout';
import { type DiskSpace, isShort, lacksSpace, type Space } from '@portcullis/runtime';
import type { WorkSpace } from './space.ts';

/** What one worker says to the others of its DATA_DIR. */
export interface PullPromises {
  /** Bytes that its pulls were admitted for and have not written yet. */
  promised: number;
  waiting: WaitingPull[];
}

interface PullEntry {
  /**
   * Sets room aside for these blobs, none of which is in the cache. Without any, before the source
   * is asked: whether there is room for what the pull needed last time.
   * @throws as `lacksSpace`
   */
  admit(blobs: readonly Descriptor[]): Promise<void>;
  /** Gives back what was set aside and not claimed. */
  leave(): void;
}

export interface PullRoom extends SpaceClaims {
  enter(pull: { jobId: string; createdAt: number }): PullEntry;
  /** What the other workers of this DATA_DIR have to know now. */
  told(): PullPromises;
  /** Whether less than the reserve is free, although room was made. */
  isShort(): Promise<boolean>;
}

export interface PullRoomPorts {
  disk: Pick<DiskSpace, 'look'>;
  space: WorkSpace;
  /** Frees so many bytes, or what it can. @returns the bytes freed */
  makeRoom(bytes: number): Promise<number>;
  /** Tells the other workers of this DATA_DIR. @returns what they told */
  exchange(own: PullPromises): Promise<PullPromises[]>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A waiting pull that was not tried for so long was cancelled, or went to another worker. */
const FORGET_AFTER_MS = 90_000;

interface Entry {
  /** Blobs that were admitted and not claimed yet. */
  left: Map<Digest, number>;
}

export function pullRoom({ disk, space, makeRoom, exchange, now }: PullRoomPorts): PullRoom {
  const entries = new Set<Entry>();
  const waiting = new Map<string, WaitingPull & { seenAt: number }>();
  let turn: Promise<unknown> = Promise.resolve();

  /** A blob of several pulls is downloaded once. */
  function setAside(): Map<Digest, number> {
    return new Map([...entries].flatMap(({ left }) => [...left]));
  }

  function promised(): number {
    return sum(setAside().values()) + space.claimed();
  }

  function stillWaiting(): WaitingPull[] {
    for (const [jobId, { seenAt }] of waiting)
      if (now() - seenAt > FORGET_AFTER_MS) waiting.delete(jobId);
    return [...waiting.values()].map(({ seenAt: _, ...pull }) => pull);
  }

  function promises(): PullPromises {
    return { promised: promised(), waiting: stillWaiting() };
  }

  /** @param wanted bytes that others hear of before it is decided, so that both see each other */
  async function look(wanted: number): Promise<{ space: Space; room: Room }> {
    const others = await exchange({ promised: promised() + wanted, waiting: stillWaiting() });
    const found = await disk.look({ fresh: true });
    const room = {
      bytes: found.free - leftByPulls(found),
      promised: promised() + sum(others.map((other) => other.promised)),
      waiting: [...stillWaiting(), ...others.flatMap((other) => other.waiting)],
      now: now(),
    };
    return { space: found, room };
  }

  async function admitNow(
    pull: { jobId: string; createdAt: number },
    entry: Entry,
    blobs: readonly Descriptor[],
  ): Promise<void> {
    const counted = setAside();
    const fresh = blobs.filter(({ digest }) => !counted.has(digest));
    const known = waiting.get(pull.jobId);
    const bytes = blobs.length > 0 ? sum(fresh.map(({ size }) => size)) : (known?.bytes ?? null);
    const missingIn = ({ room }: { room: Room }) =>
      bytes === null ? -room.bytes : missingRoom({ ...pull, bytes }, room);
    let seen = await look(bytes ?? 0);
    if (missingIn(seen) > 0 && (await makeRoom(missingIn(seen))) > 0) seen = await look(bytes ?? 0);
    if (missingIn(seen) > 0) {
      const refusedAt = known?.refusedAt ?? now();
      const kept = { ...seen.space, reserve: leftByPulls(seen.space) };
      const refusal = lacksSpace(kept, bytes ?? 0, pauseOfPull({ refusedAt }, now()));
      if (refusal.kind === 'unavailable')
        waiting.set(pull.jobId, { ...pull, bytes: bytes ?? 0, refusedAt, seenAt: now() });
      await exchange(promises());
      throw refusal;
    }
    for (const { digest, size } of fresh) entry.left.set(digest, size);
    if (blobs.length > 0 && waiting.delete(pull.jobId)) await exchange(promises());
  }

  return {
    told: promises,
    enter(pull) {
      const entry: Entry = { left: new Map() };
      entries.add(entry);
      return {
        admit(blobs) {
          const mine = turn.then(() => admitNow(pull, entry, blobs));
          turn = mine.catch(() => undefined);
          return mine;
        },
        leave: () => void entries.delete(entry),
      };
    },
    async claim(bytes, digest) {
      const wasSetAside = [...entries].map(({ left }) => left.delete(digest)).includes(true);
      return wasSetAside ? space.claimSetAside(bytes) : space.claim(bytes);
    },
    async isShort() {
      const found = await disk.look();
      if (!isShort(found)) return false;
      if ((await makeRoom(found.reserve - found.free)) === 0) return true;
      return isShort(await disk.look({ fresh: true }));
    },
  };
}

/** Bytes that pulls leave free: the reserve, and room for scans and what else is written. */
export function leftByPulls({ total, reserve }: Space): number {
  return reserve + Math.max(0, Math.min(reserve, Math.floor((total - reserve) / 4)));
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((all, each) => all + each, 0);
}
