/** Keys in Redis that the writers and the collector of the built-in registry share. */

const PREFIX = 'portcullis:registry-gate:';

/**
 * Set while a collection runs. Where its value begins with `BATCHES`, writes are allowed between
 * the batches, and record what they touch; releases before that wait for its end.
 */
export const CLOSED = `${PREFIX}closed`;
/** Set while a collection in batches deletes. */
export const PAUSED = `${PREFIX}paused`;
export const WRITERS = `${PREFIX}writers`;
export const NEEDS = `${PREFIX}needs`;
export const SINCE = `${PREFIX}since`;
/** What writes touched since the collection last asked, as `repository reference`. */
export const TOUCHED = `${PREFIX}touched`;

export const BATCHES = 'batches:';

/** Lua: `now` is the time of Redis in milliseconds. */
export const NOW = `local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

export const REDIS = 'REDIS_UNAVAILABLE';
export const WRITER_RENEWED_MS = 5_000;
/** Writes join an entry for so long after it was made; a collection waits as much longer for it. */
export const SHARED_MS = 100;
