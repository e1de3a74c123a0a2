/**
 * The notifier as a process: webhooks to real HTTP receivers that verify each signature, through
 * their outages and its own death.
 */
import { expect, it } from 'vitest';
import { startReceiver } from './receiver.ts';
import { deliveriesOf, OPEN, push, statesOf, webhookTo } from './webhook-harness.ts';
import { harness, ids, startReceivers } from './webhooks.fixture.ts';

startReceivers();

it('each event is sent once as a signed CloudEvent to the webhooks that ask for its kind and folder', async () => {
  await harness.store.folders.insertFolder({ name: 'team' });
  await harness.store.folders.insertFolder({ name: 'other' });
  await using all = await startReceiver();
  await using team = await startReceiver();
  await using other = await startReceiver();
  await using standings = await startReceiver();
  // Not of the same millisecond as the webhook.
  await push(harness, 'team/before', new Date(Date.now() - 1_000));
  const hook = await webhookTo(harness, all);
  await webhookTo(harness, team, { folder: 'team', kinds: ['image.pushed'] });
  await webhookTo(harness, other, { folder: 'other' });
  await webhookTo(harness, standings, { kinds: ['image.blocked'] });
  await harness.start(OPEN);
  const id = await push(harness, 'team/app');
  await expect.poll(() => [ids(all), ids(team)]).toEqual([[id], [id]]);
  const last = await push(harness, 'other/app');
  await expect.poll(() => [ids(all), ids(other)]).toEqual([[id, last], [last]]);
  expect([ids(team), ids(standings)]).toEqual([[id], []]);
  const [first] = all.received;
  expect(first?.verifiedBy).toEqual([0]);
  expect(first?.headers['content-type']).toBe('application/cloudevents+json');
  expect(first?.body).toMatchObject({
    specversion: '1.0',
    id,
    source: 'https://gate.example',
    type: 'io.portcullis.image.pushed',
    data: { repository: 'team/app', account: 'ada' },
  });
  expect(JSON.stringify(first?.body)).not.toContain('127.0.0.1');
  await expect
    .poll(() => statesOf(harness, hook))
    .toEqual([
      ['delivered', 204, null],
      ['delivered', 204, null],
    ]);
});

it('a receiver that fails gets the same id again with a new signature, and delays no other one', async () => {
  await using broken = await startReceiver();
  await using healthy = await startReceiver();
  const arrived: string[] = [];
  // It fails once, whenever the test looks.
  broken.answer = (response) => {
    arrived.push('broken');
    if (broken.received.length === 1) response.writeHead(500).end();
    else response.writeHead(200).end('x'.repeat(1_000_000));
  };
  healthy.answer = (response) => {
    arrived.push('healthy');
    response.writeHead(204).end();
  };
  const hook = await webhookTo(harness, broken);
  await webhookTo(harness, healthy);
  await harness.start(OPEN);
  const id = await push(harness, 'team/app');
  await expect.poll(() => ids(broken)).toEqual([id, id]);
  expect(ids(healthy)).toEqual([id]);
  expect(arrived.at(-1)).toBe('broken');
  expect(broken.received.map(({ verifiedBy }) => verifiedBy)).toEqual([[0], [0]]);
  await expect
    .poll(() => deliveriesOf(harness, hook))
    .toMatchObject([
      { state: 'delivered', status: 200, code: null, attempts: 2, nextAttemptAt: null },
    ]);
  expect((await harness.store.webhooks.find(hook.id))?.failingSince).toBeNull();
});

it.each([
  ['slack', { text: 'Image pushed: team/app' }],
  ['teams', { type: 'message' }],
] as const)('the format %s has its own body, which is signed as well', async (format, body) => {
  await using receiver = await startReceiver();
  await webhookTo(harness, receiver, { format });
  await harness.start(OPEN);
  await push(harness, 'team/app');
  await expect.poll(() => receiver.received).toMatchObject([{ body, verifiedBy: [0] }]);
});
