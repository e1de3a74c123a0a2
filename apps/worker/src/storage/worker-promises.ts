/**
 * What the workers of one DATA_DIR tell each other about their pulls, in Redis: each has its line
 * in a hash, with the time at which it ends, so that dead workers hold nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger, Redis } from '@portcullis/runtime';
import type { PullPromises } from './pull-room.ts';

export interface WorkerPromises {
  /** @returns what the others told; nothing while Redis does not answer */
  exchange(own: PullPromises): Promise<PullPromises[]>;
  /** Repeats what is to be told, before it ends. */
  keepTelling(told: () => PullPromises): void;
  stop(): Promise<void>;
}

interface WorkerIdentity {
  storageId: string;
  workerId: string;
  log: Pick<Logger, 'warn'>;
}

const PREFIX = 'portcullis:pull-room:';
const LEASE_MS = 15_000;
const RENEWED_MS = 5_000;
/** A pull does not wait longer for it. */
const PATIENCE_MS = 2_000;

/** Stores the worker's line and returns the lines of the others. Times are those of Redis. */
const EXCHANGE = `local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now + ARGV[3]) .. ' ' .. ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  local others = {}
  local lines = redis.call('HGETALL', KEYS[1])
  for i = 1, #lines, 2 do
    local ends, told = string.match(lines[i + 1], '^(%d+) (.*)$')
    if tonumber(ends) < now then redis.call('HDEL', KEYS[1], lines[i])
    elseif lines[i] ~= ARGV[1] then others[#others + 1] = told end
  end
  return others`;

export function workerPromises(
  redis: Redis,
  { storageId, workerId, log }: WorkerIdentity,
): WorkerPromises {
  const key = PREFIX + storageId;
  let timer: NodeJS.Timeout | undefined;

  async function tell(own: PullPromises): Promise<PullPromises[]> {
    const lines = await redis.eval(EXCHANGE, 1, key, workerId, JSON.stringify(own), LEASE_MS);
    return Array.isArray(lines) ? lines.map((line): PullPromises => JSON.parse(String(line))) : [];
  }

  return {
    async exchange(own) {
      const patience = new AbortController();
      try {
        return await Promise.race([
          tell(own),
          sleep(PATIENCE_MS, [], { signal: patience.signal }).catch(() => []),
        ]);
      } catch (err) {
        log.warn({ err }, 'the other workers of this DATA_DIR are not known now');
        return [];
      } finally {
        patience.abort();
      }
    },
    keepTelling(told) {
      timer = setInterval(() => {
        const own = told();
        if (own.promised > 0 || own.waiting.length > 0) void tell(own).catch(() => {});
      }, RENEWED_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      if (redis.status === 'ready') await redis.hdel(key, workerId).catch(() => {});
    },
  };
}
