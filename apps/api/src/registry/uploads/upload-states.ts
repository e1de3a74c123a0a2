/**
 * How far each upload is. The local registry gives with each step a `_state` for the next one, and
 * knows an upload by its last state alone: a client that missed an answer could neither go on nor
 * ask where it is. So the last one is kept, for every replica.
 */
import type { Logger, Redis } from '@portcullis/runtime';
import { z } from 'zod';

export interface UploadStates {
  remember(uuid: string, state: string): Promise<void>;
  recall(uuid: string): Promise<string | null>;
  forget(uuid: string): Promise<void>;
}

const KEPT_SECONDS = 24 * 3600;

/** Without Redis an upload goes on for all who missed nothing. */
export function createUploadStates(redis: Redis, log: Pick<Logger, 'warn'>): UploadStates {
  const keyOf = (uuid: string) => `v2:upload:${uuid}`;
  const missed = (err: unknown) => {
    log.warn({ err }, 'the state of an upload could not be kept or read');
    return null;
  };
  return {
    async remember(uuid, state) {
      await redis.set(keyOf(uuid), state, 'EX', KEPT_SECONDS).catch(missed);
    },
    recall: (uuid) => redis.get(keyOf(uuid)).catch(missed),
    async forget(uuid) {
      await redis.del(keyOf(uuid)).catch(missed);
    },
  };
}

const MAC_BYTES = 32;
const State = z.object({ Offset: z.int().min(0) });

/**
 * Distribution's: a MAC, then JSON. Null for another registry's, which has to look after its
 * uploads itself.
 */
export function offsetOf(state: string): number | null {
  try {
    const text = Buffer.from(state, 'base64url').subarray(MAC_BYTES).toString();
    return State.parse(JSON.parse(text)).Offset;
  } catch {
    return null;
  }
}
