/**
 * An api that is killed after a commit, and outages of Redis and of the collector: no event is
 * lost.
 */
import { randomUUID } from 'node:crypto';
import { recent } from '@portcullis/events';
import { json, pushImage, randomImage, startSyslog, type TestSmtp } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import {
  api,
  counted,
  cutOff,
  environment,
  headers,
  idIn,
  mail,
  name,
  onStream,
  send,
  setApi,
  startAudited,
} from './audit-outbox.fixture.ts';

startAudited();

/** The events are attached, as JSON lines. */
function eventsIn({ email }: TestSmtp['mails'][number]): string {
  const [attached] = email.attachments;
  const content = attached?.content ?? '';
  return typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString();
}

describe('F5: an api that is killed right after the commit', () => {
  it('leaves an event behind that names the job of a pull', async () => {
    const image = `lib/${name('unseen')}`;
    const id = await cutOff('/staging/pull', { image, tag: '1' }, () =>
      idIn('SELECT id FROM staging_jobs WHERE image = $1', [image]),
    );
    const events = async () =>
      (await onStream('staging.pull')).filter(({ detail }) => detail.image === image);
    await expect.poll(events).toMatchObject([{ resource: { kind: 'staging_job', id } }]);
  });

  it('leaves an event behind that says that it was a replay', async () => {
    const [image, key] = [`lib/${name('twice')}`, randomUUID()];
    expect((await send('/staging/pull', { image, tag: '1' }, 'POST', key)).status).toBe(202);
    const open = () => idIn('SELECT id FROM audit_outbox WHERE open_until IS NOT NULL', []);
    await cutOff('/staging/pull', { image, tag: '1' }, open, key);
    const replays = async () =>
      (await onStream('staging.pull'))
        .filter(({ detail }) => detail.image === image)
        .map(({ detail }) => detail.replayed ?? false)
        .sort();
    await expect.poll(replays).toEqual([false, true]);
  });
});

describe('F5: an api that is killed while the registry deletes an image over /v2', () => {
  it('leaves the event of a started deletion with an unknown result', async () => {
    const image = await randomImage();
    await pushImage(environment.registry.url, 'team/deleted', '1', image);
    const { token } = await json(send('/auth/tokens', { name: name('v2'), scope: 'docker' }));
    const authorization = `Basic ${Buffer.from(`root:${token}`).toString('base64')}`;
    const intended = async () =>
      (await environment.sql.query(`SELECT 1 FROM audit_outbox WHERE open_until IS NOT NULL`))
        .rowCount;
    process.kill(environment.registry.pid, 'SIGSTOP');
    const cut = fetch(`${api.url}/v2/team/deleted/manifests/${image.digest}`, {
      method: 'DELETE',
      headers: { authorization },
    }).then(
      ({ status }) => `answered ${status}`,
      () => 'cut off',
    );
    await expect.poll(intended).toBe(1);
    await api.kill();
    process.kill(environment.registry.pid, 'SIGCONT');
    expect(await cut).toBe('cut off');
    await environment.sql.query(
      `UPDATE audit_outbox SET open_until = now() - interval '1 second' WHERE open_until IS NOT NULL`,
    );
    setApi(await environment.start());
    await expect
      .poll(() => onStream('image.delete'))
      .toMatchObject([
        { outcome: 'failure', resource: { name: 'team/deleted' }, detail: { interrupted: true } },
      ]);
  });
});

describe('F5: while Redis is unavailable', () => {
  it('changes are in the stream, the archive and the mail exactly once after Redis restarts empty', async () => {
    await environment.startNotifier({
      EMAIL_ENABLED: 'true',
      EMAIL_HOST: '127.0.0.1',
      EMAIL_PORT: String(mail.port),
      EMAIL_SECURITY: 'none',
      EMAIL_FROM_ADDRESS: 'from@example.com',
      EMAIL_TO_ADDRESSES: 'to@example.com',
      EMAIL_NOTIFY_AUDIT: 'true',
      EMAIL_GATHER_SECONDS: '0',
    });
    const [folder, image] = [name('away'), name('image')];
    await environment.store.folders.insertFolder({ name: 'team' });
    const registry = await environment.store.registries.insert({
      name: 'outside',
      host: 'registry.example',
    });

    await environment.redisServer.crash();
    const made = await send('/folders', { name: folder });
    const pulled = await send('/staging/pull', { image: `team/${image}`, tag: '1' });
    const transferred = await send('/transfer', {
      images: [{ repository: 'lib/app', tag: '1' }],
      source_registry_id: registry.id,
      dest_folder: 'team',
    });
    expect([made.status, pulled.status, transferred.status]).toEqual([201, 202, 202]);
    // A denial is an event without a change.
    const { authorization = '' } = await environment.session('nobody');
    const denied = await fetch(`${api.url}/api/folders`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body: JSON.stringify({ name: name('denied') }),
    });
    expect(denied.status).toBe(403);

    await environment.redisServer.startEmpty();
    const transferId = (await transferred.json()).transfer_id;
    const wanted = ['folder.create', 'staging.pull', 'transfer.request', 'folder.create'];
    const ours = (text: string) =>
      text.includes(folder) ||
      text.includes(image) ||
      text.includes(transferId) ||
      text.includes('nobody');
    const stream = async () =>
      (await recent(environment.redis, 1_000))
        .reverse()
        .filter((event) => ours(JSON.stringify(event)));
    await expect
      .poll(async () => (await stream().catch(() => [])).map(({ event }) => event))
      .toEqual(wanted);
    const archived = async () =>
      (await environment.store.audit.list({}, { limit: 1000 })).items
        .filter((event) => ours(JSON.stringify(event)))
        .map(({ event }) => event)
        .sort();
    await expect.poll(archived).toEqual([...wanted].sort());
    const ids = (await stream()).map(({ request_id: id }) => id ?? '');
    const mailed = () =>
      ids.map((id) => mail.mails.filter((each) => eventsIn(each).includes(id)).length);
    await expect.poll(mailed).toEqual([1, 1, 1, 1]);
    await expect.poll(() => counted('audit_outbox')).toBe(0);
  });
});

describe('F5: while Redis and the syslog collector are unavailable', () => {
  it('the collector receives every change exactly once and in order after the outage', async () => {
    await using collector = await startSyslog({ protocol: 'tcp' });
    await environment.startNotifier({
      SYSLOG_ENABLED: 'true',
      SYSLOG_HOST: '127.0.0.1',
      SYSLOG_PORT: String(collector.port),
      SYSLOG_PROTOCOL: 'tcp',
    });
    const prefix = name('order');
    const make = async (from: number, to: number) => {
      for (let n = from; n < to; n += 1)
        expect((await send('/folders', { name: `${prefix}-${n}` })).status).toBe(201);
    };
    const folderOf = new RegExp(`${prefix}-\\d+`);
    const received = async () =>
      (await collector.received()).flatMap(
        (message) => folderOf.exec(JSON.stringify(message))?.[0] ?? [],
      );
    const all = Array.from({ length: 25 }, (_, n) => `${prefix}-${n}`);

    await make(0, 5);
    await expect.poll(received).toEqual(all.slice(0, 5));
    // What the archive does not have yet is published again after a loss of Redis.
    await expect.poll(() => counted('audit_outbox')).toBe(0);
    await collector.halt();
    await environment.redisServer.crash();
    await make(5, 20);
    await environment.redisServer.startEmpty();
    const published = async () =>
      (await onStream('folder.create').catch(() => [])).filter((each) =>
        folderOf.test(JSON.stringify(each)),
      );
    await expect.poll(async () => (await published()).length).toBeGreaterThanOrEqual(15);
    await make(20, 25);
    // The process detects the outage of the collector, and keeps the events.
    expect(await received()).toEqual(all.slice(0, 5));
    await collector.start();
    await expect.poll(received).toEqual(all);
  });
});
