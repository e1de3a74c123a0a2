import { Worker } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
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

/** With a cheap hash, and the hash for unknown accounts made. */
async function cheap() {
  const own = createPasswords({ cost: 4 });
  onTestFinished(own.close);
  await own.verify('x', null);
  return { own, hash: await own.hash('right') };
}

it('lets few of one client wait, so that others are served', async () => {
  const { own, hash } = await cheap();
  const many = Array.from({ length: 63 }, () => own.verify('wrong', hash, '10.0.0.1'));
  const other = own.verify('right', hash, '10.0.0.2');
  const settled = await Promise.allSettled(many);
  expect(await other).toBe(true);
  // One of them is being checked while eight wait.
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
  expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'LOGINS_BUSY', retryAfter: 5 },
  });
});

it('checks the newest password of a client before those of its burst', async () => {
  const { own, hash } = await cheap();
  const order: string[] = [];
  const burst = Array.from({ length: 63 }, () =>
    own.verify('wrong', hash, '10.0.0.1').then(
      () => order.push('burst'),
      () => {},
    ),
  );
  const mine = own.verify('right', hash, '10.0.0.1').then((isRight) => {
    order.push('mine');
    return isRight;
  });
  expect(await mine).toBe(true);
  expect(order).toEqual(['burst', 'mine']);
  await Promise.all(burst);
});

it('checks passwords of unknown accounts again after the queue was full at first', async () => {
  const own = createPasswords({ cost: 4 });
  onTestFinished(own.close);
  const filled = Array.from({ length: 70 }, () => own.hash('x'));
  const unknown = [own.verify('x', null), ...Array.from({ length: 70 }, () => own.hash('x'))];
  await expect(Promise.any(unknown.slice(0, 1))).rejects.toThrow();
  await Promise.allSettled([...filled, ...unknown]);
  expect(await own.verify('x', null)).toBe(false);
});

it('refuses more requests than its queue holds', async () => {
  const { own, hash } = await cheap();
  const attempts = Array.from({ length: 70 }, () => own.verify('x', hash));
  const settled = await Promise.allSettled(attempts);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(5);
});

it('says that it cannot hash where its thread fails, and serves the next request', async () => {
  const { own, hash } = await cheap();
  const failing = own.hash(null as unknown as string);
  const next = failing.catch(() => own.verify('right', hash));
  await expect(failing).rejects.toMatchObject({ code: 'PASSWORDS_UNAVAILABLE' });
  expect(await next).toBe(true);
});
