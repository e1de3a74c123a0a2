/**
 * Fairness between accounts: start-time fair queueing on BullMQ priorities.
 *
 * Each stage has a clock: the turn of the entry that was taken last. A new entry of an account gets
 * the turn after the account's last one, or the clock's where that is later. The lowest turn is
 * taken first; equal turns in order of arrival. In an idle queue the n-th waiting entry of an
 * account has turn n, and an entry of a new account goes before all further entries of an account
 * that had its turn. Turns only grow, so an account that keeps submitting can't hold back older
 * entries of others. The clock restarts at zero whenever nothing waits.
 */
import type { Redis } from '@portcullis/runtime';

/**
 * BullMQ's lowest priority. After two million rounds without an idle moment, entries are in order
 * of arrival.
 */
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

/** Key of a BullMQ queue by kind. */
type KeyOf = (kind: string) => string;

/** The priority of a new entry of the account. */
export async function takeTurn(redis: Redis, of: KeyOf, ownerId: string): Promise<number> {
  const keys = [of('turns'), of('prioritized'), of('delayed')];
  return Number(await redis.eval(TAKE_TURN, keys.length, ...keys, ownerId, LAST_TURN));
}

/** Called when an entry with this turn is taken. */
export async function advanceClock(redis: Redis, of: KeyOf, turn: number): Promise<void> {
  await redis.eval(ADVANCE, 1, of('turns'), turn);
}
