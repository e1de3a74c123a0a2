/** The receivers of docs/guide/webhooks.md, run as written, with deliveries of a notifier. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StoredWebhook } from '@portcullis/store';
import { type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleOf } from '../support/guide.ts';
import { PYTHON, programsEnv } from '../support/programs.ts';
import { end, type Harness, openHarness } from './harness.ts';
import { signature as signatureOf, startReceiver } from './receiver.ts';
import { insertWebhook, newSecret, OPEN, push, statesOf } from './webhook-harness.ts';

const guide = readFileSync(path.join(import.meta.dirname, '../../docs/guide/webhooks.md'), 'utf8');
const SAMPLES = [
  { language: 'js', file: 'receiver.mjs', program: process.execPath },
  { language: 'python', file: 'receiver.py', program: 'python3' },
];

let harness: Harness;
let dir: TemporaryDir;
let env: NodeJS.ProcessEnv;
let running: ChildProcess[];
beforeAll(async () => {
  env = await programsEnv([PYTHON]);
});
beforeEach(async () => {
  running = [];
  [harness, dir] = await Promise.all([openHarness(), temporaryDir()]);
});
afterEach(async () => {
  await Promise.all(running.map((child) => end(child, 'SIGKILL')));
  await harness[Symbol.asyncDispose]();
  await dir.remove();
});

interface Sample {
  url: string;
  printed(): string;
}

async function startSample(
  { language, file, program }: (typeof SAMPLES)[number],
  ...secrets: string[]
): Promise<Sample> {
  const written = path.join(dir.path, file);
  await writeFile(written, exampleOf(guide, language));
  const child = spawn(program, [written], {
    env: { ...env, WEBHOOK_SECRETS: secrets.join(' '), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await expect.poll(() => printed).toMatch(LISTENING);
  const port = LISTENING.exec(printed)?.[1];
  return { url: `http://127.0.0.1:${port}/hook`, printed: () => printed.replace(LISTENING, '') };
}

const LISTENING = /^listening on port (\d+)\n/;

interface Delivery {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
}

/** What a notifier sends for a push; `prepare` may change the webhook before. */
async function delivered(
  secret: string,
  prepare: (hook: StoredWebhook) => Promise<unknown> = async () => undefined,
): Promise<Delivery> {
  await using receiver = await startReceiver();
  await prepare(await insertWebhook(harness, { url: receiver.url, secret }));
  await harness.start(OPEN);
  await push(harness, 'team/größer');
  await expect.poll(() => receiver.received).toHaveLength(1);
  const [first] = receiver.received;
  if (!first) throw new Error('nothing arrived');
  const { id, headers, text } = first;
  return {
    id,
    timestamp: String(headers['webhook-timestamp']),
    signature: String(headers['webhook-signature']),
    body: text,
  };
}

async function send({ url }: Sample, { id, timestamp, signature, body }: Delivery) {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

/** The delivery as it would have been signed at another time. */
function sentAgo(seconds: number, delivery: Delivery, secret: string): Delivery {
  const timestamp = Math.floor(Date.now() / 1000) - seconds;
  const signed = signatureOf({ ...delivery, timestamp }, secret).toString('base64');
  return { ...delivery, timestamp: String(timestamp), signature: `v1,${signed}` };
}

describe.each(SAMPLES)('the receiver in $language', (language) => {
  it('accepts what a notifier signs with its secret, and prints it', async () => {
    const secret = newSecret();
    const sample = await startSample(language, secret);
    const hook = await insertWebhook(harness, { url: sample.url, secret });
    await harness.start(OPEN);
    const id = await push(harness, 'team/app');
    await expect.poll(() => statesOf(harness, hook)).toEqual([['delivered', 204, null]]);
    await expect.poll(sample.printed).toBe(`${id} io.portcullis.image.pushed\n`);
  });

  it('refuses what a notifier signs with another secret', async () => {
    const sample = await startSample(language, newSecret());
    const hook = await insertWebhook(harness, { url: sample.url });
    await harness.start(OPEN);
    await push(harness, 'team/app');
    const refused = [['waiting', 401, 'WEBHOOK_REFUSED']];
    await expect.poll(() => statesOf(harness, hook)).toEqual(refused);
    expect(sample.printed()).toBe('');
  });

  it('accepts either secret while one replaces the other', async () => {
    const [former, current] = [newSecret(), newSecret()];
    const end = new Date(Date.now() + 60_000);
    const both = await delivered(former, ({ id }) =>
      harness.store.webhooks.rotate(id, current, end),
    );
    for (const secrets of [[former], [current], [current, former]]) {
      const sample = await startSample(language, ...secrets);
      expect(await send(sample, both)).toBe(204);
    }
    const neither = await startSample(language, newSecret());
    expect(await send(neither, both)).toBe(401);
    const waiting = await startSample(language, current, former);
    expect(await send(waiting, sentAgo(0, both, former))).toBe(204);
  });

  it('refuses what was changed, and what was sent more than five minutes ago', async () => {
    const secret = newSecret();
    const real = await delivered(secret);
    const sample = await startSample(language, secret);
    const statuses = async (deliveries: Record<string, Delivery>) =>
      Promise.all(
        Object.entries(deliveries).map(async ([what, each]) => [what, await send(sample, each)]),
      );
    const good = {
      'as it was sent': real,
      'sent four minutes ago': sentAgo(240, real, secret),
      'after an unknown version': { ...real, signature: `v2,AAAA ${real.signature}` },
    };
    const bad = {
      'another body': { ...real, body: real.body.replace('pushed', 'pulled') },
      'another id': { ...real, id: `${real.id}0` },
      'another time': { ...real, timestamp: String(Number(real.timestamp) + 1) },
      'sent six minutes ago': sentAgo(360, real, secret),
      'sent in six minutes': sentAgo(-360, real, secret),
      'no time': { ...real, timestamp: 'now' },
      'no signature': { ...real, signature: '' },
      'an empty signature': { ...real, signature: 'v1,' },
      'a part of the signature': { ...real, signature: real.signature.slice(0, -8) },
      'another version': { ...real, signature: real.signature.replace('v1', 'v2') },
    };
    expect(await statuses(good)).toEqual(Object.keys(good).map((what) => [what, 204]));
    expect(await statuses(bad)).toEqual(Object.keys(bad).map((what) => [what, 401]));
  });
});
