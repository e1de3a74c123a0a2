/**
 * Stores the registry's latest `_state` of each upload in Redis. The registry accepts only the
 * latest one, so a client that missed a reply could neither continue nor query its offset.
 */
import type { Logger, Redis } from '@portcullis/runtime';
import { z } from 'zod';

export interface UploadStates {
  remember(uuid: string, state: string): Promise<void>;
  recall(uuid: string): Promise<string | null>;
  forget(uuid: string): Promise<void>;
}

const KEPT_SECONDS = 24 * 3600;

/** Without Redis, uploads continue if the client missed no reply. */
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

/** The state of CNCF distribution is a MAC followed by JSON. Null for another registry's. */
export function offsetOf(state: string): number | null {
  try {
    const text = Buffer.from(state, 'base64url').subarray(MAC_BYTES).toString();
    return State.parse(JSON.parse(text)).Offset;
  } catch {
    return null;
  }
}
