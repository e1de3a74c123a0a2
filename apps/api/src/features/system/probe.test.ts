import { unavailable } from '@portcullis/errors';
import { expect, it } from 'vitest';
import { probe } from './probe.ts';

it.each([
  ['that has nothing to say', null, { code: null, message: null }],
  ['with a remark', { code: 'DISK_RESERVE', message: 'low' }, { code: 'DISK_RESERVE' }],
])('a dependency %s is healthy', async (_, remark, found) => {
  expect(await probe(async () => remark)).toMatchObject({ ok: true, ...found });
});

it.each([
  ['the cause that we know', unavailable('REDIS_READ_ONLY', 'read-only'), 'REDIS_READ_ONLY'],
  ['no more than that it is not reachable', new Error('connect 10.0.0.1'), 'PROBE_UNREACHABLE'],
])('a dependency that fails is reported with %s', async (_, fault, code) => {
  const found = await probe(() => Promise.reject(fault));
  expect(found).toMatchObject({ ok: false, code });
  expect(found.message).not.toContain('10.0.0.1');
});

it('a dependency that does not answer is reported once the patience ends', async () => {
  let given: AbortSignal | undefined;
  const answer = probe(
    () => new Promise(() => {}),
    async (signal) => {
      given = signal;
    },
  );
  expect(await answer).toMatchObject({ ok: false, code: 'PROBE_TIMEOUT' });
  expect(given?.aborted).toBe(true);
});

it('the patience with a dependency that answered ends with the answer', async () => {
  let given: AbortSignal | undefined;
  await probe(
    async () => null,
    (signal) => {
      given = signal;
      return new Promise(() => {});
    },
  );
  expect(given?.aborted).toBe(true);
});
