/**
 * Fairness between accounts: start-time fair queueing on BullMQ priorities.
 *
 * Each stage has a clock: the turn of the entry that was taken last. An account's new entry gets the turn after its
 * own last one, or the clock's where that is later; the lowest turn goes first, equal turns in order of arrival.
 * So in an idle queue an account's n-th waiting entry has turn n, a newcomer goes before all waiting entries of an
 * account that has had its turn, and an account that sends without pause can't hold back the old entries of one that doesn't: turns only
 * grow. The clock starts again at zero whenever nothing waits.
 */
import type { Redis } from '@portcullis/runtime';

/** BullMQ's lowest priority. Behind it (two million rounds without an idle moment) all are equal, in order of arrival. */
const LAST_TURN = 2_097_151;

const TAKE_TURN = `
  if redis.call('ZCARD', KEYS[2]) == 0 and redis.call('ZCARD', KEYS[3]) == 0 then redis.call('DEL', KEYS[1]) end
  local clock = tonumber(redis.call('HGET', KEYS[1], 'clock') or '0')
  local last = tonumber(redis.call('HGET', KEYS[1], 'last:' .. ARGV[1]) or '0')
  local turn = math.min(math.max(clock, last + 1), tonumber(ARGV[2]))
  redis.call('HSET', KEYS[1], 'last:' .. ARGV[1], turn)
  return turn`;

const ADVANCE = `
  local clock = tonumber(redis.call('HGET', KEYS[1], 'clock') or '0')
  if tonumber(ARGV[1]) > clock then redis.call('HSET', KEYS[1], 'clock', ARGV[1]) end
  return 0`;

/** `of`: a BullMQ queue's key of that kind. */
type KeyOf = (kind: string) => string;

/** The priority of an account's new entry. */
export async function takeTurn(redis: Redis, of: KeyOf, ownerId: string): Promise<number> {
  const keys = [of('turns'), of('prioritized'), of('delayed')];
  return Number(await redis.eval(TAKE_TURN, keys.length, ...keys, ownerId, LAST_TURN));
}

/** An entry with this turn was taken. */
export async function advanceClock(redis: Redis, of: KeyOf, turn: number): Promise<void> {
  await redis.eval(ADVANCE, 1, of('turns'), turn);
}
