/** Webhooks of a notifier that is killed or stopped, rotated secrets, and the format of Teams. */
import { expect, it } from 'vitest';
import { end } from './harness.ts';
import { startReceiver } from './receiver.ts';
import {
  deliveriesOf,
  newSecret,
  OPEN,
  push,
  sql,
  statesOf,
  webhookTo,
} from './webhook-harness.ts';
import { harness, ids, startReceivers } from './webhooks.fixture.ts';

startReceivers();

it('killed while a receiver has not answered, it sends the event again after its next start', async () => {
  await using receiver = await startReceiver();
  receiver.answer = () => undefined;
  const hook = await webhookTo(harness, receiver);
  const first = await harness.start(OPEN);
  const id = await push(harness, 'team/app');
  await expect.poll(() => ids(receiver)).toEqual([id]);
  await end(first, 'SIGKILL');
  const missed = await push(harness, 'team/missed');

  receiver.answer = (response) => response.writeHead(204).end();
  await harness.start(OPEN);
  await expect.poll(() => ids(receiver)).toEqual([id, missed]);
  // Otherwise it would be free again, too.
  const stateOfMissed = async () =>
    (await deliveriesOf(harness, hook)).find(({ eventId }) => eventId === missed)?.state;
  await expect.poll(stateOfMissed).toBe('delivered');
  // The lease of the killed process ends after a minute.
  await sql(
    harness,
    `UPDATE webhook_deliveries SET lease_until = now() - interval '1 second' WHERE state = 'waiting'`,
  );
  await expect.poll(() => ids(receiver)).toEqual([id, missed, id]);
  await expect
    .poll(() => statesOf(harness, hook))
    .toEqual([
      ['delivered', 204, null],
      ['delivered', 204, null],
    ]);
});

it('stopped while a receiver has not answered, another process sends it at once, as the first attempt', async () => {
  await using receiver = await startReceiver();
  receiver.answer = () => undefined;
  const hook = await webhookTo(harness, receiver);
  const first = await harness.start(OPEN);
  const id = await push(harness, 'team/app');
  await expect.poll(() => ids(receiver)).toEqual([id]);
  await end(first, 'SIGTERM');
  receiver.answer = (response) => response.writeHead(204).end();
  await harness.start(OPEN);
  await expect.poll(() => ids(receiver)).toEqual([id, id]);
  await expect
    .poll(() => deliveriesOf(harness, hook))
    .toMatchObject([{ state: 'delivered', attempts: 1 }]);
});

it('after a rotation deliveries are signed with both secrets until the old one ends', async () => {
  await using receiver = await startReceiver();
  const hook = await webhookTo(harness, receiver);
  const next = newSecret();
  receiver.secrets.push(next);
  await harness.store.webhooks.rotate(hook.id, next, new Date(Date.now() + 60_000));
  await harness.start(OPEN);
  await push(harness, 'team/one');
  await expect.poll(() => receiver.received.map(({ verifiedBy }) => verifiedBy)).toEqual([[0, 1]]);
  await sql(harness, `UPDATE webhooks SET previous_until = now() - interval '1 second'`);
  await push(harness, 'team/two');
  await expect
    .poll(() => receiver.received.map(({ verifiedBy }) => verifiedBy))
    .toEqual([[0, 1], [1]]);
});
