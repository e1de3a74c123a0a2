import { Worker } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import { afterAll, expect, it, vi } from 'vitest';
import { createPasswords, type PasswordTask } from './passwords.ts';

const passwords = createPasswords({ cost: 10 });
afterAll(() => passwords.close());

it('verifies its own hash, and no other', async () => {
  const hash = await passwords.hash('right');
  expect(hash).toMatch(/^hmac-sha256:\$2[aby]\$10\$/);
  expect(await passwords.verify('right', hash)).toBe(true);
  expect(await passwords.verify('wrong', hash)).toBe(false);
});

it('uses the whole password: two that differ after the 72nd byte are different', async () => {
  const long = 'ü'.repeat(127);
  const hash = await passwords.hash(`${long}a`);
  expect(await passwords.verify(`${long}a`, hash)).toBe(true);
  expect(await passwords.verify(`${long}b`, hash)).toBe(false);
});

it('verifies a hash of the first scheme, which was plain bcrypt', async () => {
  const hash = bcrypt.hashSync('right', 4);
  expect(await passwords.verify('right', hash)).toBe(true);
  expect(await passwords.verify('wrong', hash)).toBe(false);
});

it('treats equal text in different Unicode forms as the same password', async () => {
  const hash = await passwords.hash('caf\u00e9 au lait');
  expect(await passwords.verify('cafe\u0301 au lait', hash)).toBe(true);
});

it('is false for an unknown account, after the same work', async () => {
  const hash = await passwords.hash('right');
  const tasks = vi.spyOn(Worker.prototype, 'postMessage');
  expect(await passwords.verify('x', hash)).toBe(false);
  expect(await passwords.verify('x', null)).toBe(false);
  const [known, unknown] = [tasks.mock.calls.at(0), tasks.mock.calls.at(-1)].map(
    (call) => call?.[0] as PasswordTask,
  );
  expect(known?.hash).toBe(hash);
  // The algorithm and the cost, which decide the work.
  expect(unknown?.hash?.slice(0, 7)).toBe(hash.slice(0, 7));
});

it('does not block the event loop', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 2);
  await passwords.hash('x');
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
});

it('lets few of one client wait, so that others are served', async () => {
  const hash = await passwords.hash('right');
  const many = Array.from({ length: 63 }, () => passwords.verify('wrong', hash, '10.0.0.1'));
  const other = passwords.verify('right', hash, '10.0.0.2');
  const settled = await Promise.allSettled(many);
  expect(await other).toBe(true);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'LOGINS_BUSY', retryAfter: 5 },
  });
});

it('refuses more requests than its queue holds', async () => {
  const attempts = Array.from({ length: 70 }, () =>
    passwords.verify('x', '$2b$04$NxpUIYTzRS8G.xXJ/RUEVelGXp8yl6nJyRjeSPHnU7nvr0JcvoZk2'),
  );
  const settled = await Promise.allSettled(attempts);
  expect(settled.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
  expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(60);
});
