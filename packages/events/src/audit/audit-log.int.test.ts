/** The outbox on a real database and a real Redis, with publishers as in several processes. */
import { randomUUID } from 'node:crypto';
import { openRedis, type Redis, redisReady } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { createDatabase, type LossyRedis, openSql, startLossyRedis } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AuditEvent,
  type AuditLog,
  appendOnce,
  consume,
  createAuditLog,
  recent,
  systemEvent,
} from '../index.ts';

let stop: () => Promise<void>;
let sql: Awaited<ReturnType<typeof openSql>>;
let server: LossyRedis;
let redis: Redis;
let store: Store;
let lines: unknown[];

beforeAll(async () => {
  const database = await createDatabase();
  server = await startLossyRedis();
  redis = openRedis(server.url, { mode: 'fail-fast' });
  await redisReady(redis);
  sql = await openSql(database.url);
  store = openStore(database.url, { seal: (text) => text, open: (text) => text });
  stop = async () => {
    redis.disconnect();
    await sql.end();
    await store.close();
    await server.stop();
    await database.stop();
  };
});
afterAll(() => stop());
beforeEach(async () => {
  lines = [];
  await redisReady(redis);
  await redis.flushall();
  await sql.query('DELETE FROM audit_outbox; DELETE FROM audit_events; DELETE FROM folders');
});

const log = {
  info() {},
  warn: (...line: unknown[]) => void lines.push(line),
  error: (...line: unknown[]) => void lines.push(line),
};

function auditLog(more: Partial<Parameters<typeof createAuditLog>[0]> = {}): AuditLog {
  return createAuditLog({ redis, outbox: store.outbox, log, ...more });
}

function event(name: string, detail: Record<string, unknown> = {}): AuditEvent {
  const actor = { id: null, name: 'test' };
  const event = 'audit.export';
  const about = { outcome: 'success', action: 'test', resource: null, detail } as const;
  return { ...systemEvent({ event, actor, ...about }), event: name };
}

const published = async () => (await recent(redis, 2_000)).map(({ event: name }) => name).reverse();
const outboxRows = async () => (await sql.query('SELECT 1 FROM audit_outbox')).rowCount;
const inArchive = async () =>
  (await store.audit.list({}, { limit: 1000 })).items.map(({ event: name }) => name);

describe('F5: an event that was committed', () => {
  it('is published once and in order by three processes at once', async () => {
    const others = await Promise.all(
      [1, 2].map(async () => {
        const own = openRedis(server.url, { mode: 'fail-fast' });
        await redisReady(own);
        return own;
      }),
    );
    const logs = [redis, ...others].map((each) => auditLog({ redis: each }));
    const names = Array.from({ length: 600 }, (_, n) => `e${n}`);
    for (let n = 0; n < names.length; n += 50) {
      await store.outbox.put(names.slice(n, n + 50).map((name) => event(name)));
      for (const each of logs) void each.flush();
    }
    await Promise.all(logs.map((each) => each.stop?.()));
    expect(await published()).toEqual(names);
    for (const own of others) own.disconnect();
  });

  it('is published soon, together with what is committed meanwhile', async () => {
    const running = auditLog();
    await store.outbox.put([event('one')]);
    running.flushSoon();
    await store.outbox.put([event('two')]);
    running.flushSoon();
    await expect.poll(published).toEqual(['one', 'two']);
    await running.stop?.();
  });

  it('is published at the stop of a process that would have published it soon', async () => {
    const running = auditLog();
    await store.outbox.put([event('one')]);
    running.flushSoon();
    await running.stop?.();
    expect(await published()).toEqual(['one']);
  });

  it('is published once where the publisher died before it recorded that', async () => {
    await store.outbox.put([event('one'), event('two')]);
    const dying = store.outbox.publish(async (events) => {
      await appendOnce(redis, events);
      throw new Error('killed here');
    }, 10);
    await expect(dying).rejects.toThrow('killed here');
    expect(await published()).toEqual(['one', 'two']);
    await auditLog().stop?.();
    expect(await published()).toEqual(['one', 'two']);
    expect((await store.outbox.waiting()).count).toBe(0);
  });

  it('leaves the outbox when the archive has it, and not earlier', async () => {
    const one = event('one');
    await store.outbox.put([one]);
    await auditLog().stop?.();
    expect(await outboxRows()).toBe(1);
    await store.audit.insert([one]);
    expect([await outboxRows(), await inArchive()]).toEqual([0, ['one']]);
  });

  it('is published again within seconds where Redis lost it before it was archived', async () => {
    const [archived, lost] = [event('archived'), event('lost')];
    await store.outbox.put([archived, lost]);
    const running = auditLog();
    await running.start?.();
    await expect.poll(published).toEqual(['archived', 'lost']);
    await store.audit.insert([archived]);
    await redis.flushall();
    await expect.poll(published).toEqual(['lost']);
    await running.stop?.();
  });

  it('is archived directly from the outbox where it does not arrive on the stream', async () => {
    await store.outbox.put([event('lost in a failover')]);
    await auditLog().stop?.();
    await redis.del('portcullis:audit');
    expect(await store.audit.rescue(60_000)).toBe(0);
    await sql.query(`UPDATE audit_outbox SET published_at = now() - interval '2 minutes'`);
    expect(await store.audit.rescue(60_000)).toBe(1);
    expect([await outboxRows(), await inArchive()]).toEqual([0, ['lost in a failover']]);
  });

  it('reaches a consumer of the stream once, also after Redis was killed and restarted empty', async () => {
    const taken: string[] = [];
    const running = auditLog();
    await running.start?.();
    const archive = consume(
      redis,
      'archive',
      async (events) => {
        await store.audit.insert(events);
        taken.push(...events.map(({ event: name }) => name));
      },
      { consumer: 'test' },
    );
    await store.outbox.put([event('before')]);
    await running.flush();
    await expect.poll(() => taken).toEqual(['before']);
    await server.crash();
    await store.outbox.put([event('while away')]);
    await running.flush();
    await running.tell(event('without a change'));
    await server.startEmpty();
    await expect.poll(() => taken).toEqual(['before', 'while away', 'without a change']);
    await expect.poll(inArchive).toHaveLength(3);
    await archive.stop();
    await running.stop?.();
  });
});

describe('F5: a scope', () => {
  const folder = () => store.folders.insertFolder({ name: `f-${randomUUID().slice(0, 8)}` });
  const folders = async () => (await sql.query('SELECT 1 FROM folders')).rowCount;

  function begin(name: string) {
    const draft = { ...event(name, { interrupted: true }) };
    return {
      draft,
      scope: store.outbox.scope(() => draft),
      done: { ...draft, detail: { done: true } },
    };
  }

  it('commits the draft with the first write, and publishes the final event', async () => {
    const { scope, done } = begin('folder.create');
    await scope.run(folder);
    expect((await store.outbox.waiting()).count).toBe(0);
    await auditLog().end(scope, done);
    expect(await recent(redis)).toMatchObject([
      { event: 'folder.create', id: done.id, detail: { done: true } },
    ]);
  });

  it.each([
    { what: 'a write', work: folder },
    { what: 'a transaction', work: () => store.groups.replaceProvided(randomUUID(), []) },
    { what: 'a raw statement', work: () => store.jobs.stale({ olderThanMs: 1 }) },
  ])('commits it with $what', async ({ work }) => {
    const { scope } = begin('any');
    await scope.run<unknown>(work);
    expect(await outboxRows()).toBe(1);
    expect(await scope.end(null)).toBe(false);
    expect(await outboxRows()).toBe(0);
  });

  it('leaves no row where nothing was written, and its event goes to the stream', async () => {
    const { scope, done } = begin('looked');
    await scope.run(() => store.folders.list());
    await auditLog().end(scope, done);
    expect([await outboxRows(), await published()]).toEqual([0, ['looked']]);
  });

  it('leaves neither event nor change where the event cannot be written', async () => {
    await sql.query('ALTER TABLE audit_outbox ADD CONSTRAINT refused CHECK (false) NOT VALID');
    try {
      await expect(begin('refused').scope.run(folder)).rejects.toThrow();
      expect([await folders(), await outboxRows()]).toEqual([0, 0]);
    } finally {
      await sql.query('ALTER TABLE audit_outbox DROP CONSTRAINT refused');
    }
  });

  it('leaves no event where the change was rolled back', async () => {
    const { name } = await folder();
    await expect(
      begin('refused').scope.run(() => store.folders.insertFolder({ name })),
    ).rejects.toMatchObject({ code: 'FOLDER_NAME_TAKEN' });
    expect(await outboxRows()).toBe(0);
  });

  it('is written once by concurrent writes', async () => {
    const { scope, done } = begin('several');
    await scope.run(() => Promise.all([folder(), folder(), folder()]));
    expect(await folders()).toBe(3);
    await auditLog().end(scope, done);
    expect(await published()).toEqual(['several']);
  });

  it('that never ends is published as interrupted; a late end follows as a separate event', async () => {
    const { scope, done } = begin('cut');
    await scope.run(folder);
    await sql.query(`UPDATE audit_outbox SET open_until = now() - interval '1 second'`);
    await auditLog().stop?.();
    expect(await recent(redis)).toMatchObject([{ event: 'cut', detail: { interrupted: true } }]);
    await auditLog().end(scope, done);
    expect(await recent(redis)).toMatchObject([
      { event: 'cut', detail: { done: true, continues: done.id } },
      { event: 'cut', detail: { interrupted: true } },
    ]);
  });

  it('can commit its event before an effect outside of the database', async () => {
    const { scope } = begin('image.tag_delete');
    await scope.run(() => scope.intend());
    const { rows } = await sql.query('SELECT body FROM audit_outbox');
    expect(rows).toMatchObject([{ body: { event: 'image.tag_delete', outcome: 'failure' } }]);
  });
});

describe('F5: events without a change', () => {
  it('are stored in the database while Redis is unreachable, up to a limit, and the rest is counted', async () => {
    await server.crash();
    await expect.poll(() => redis.status).not.toBe('ready');
    const running = auditLog({ maxStored: 3 });
    for (const n of [1, 2, 3, 4, 5]) await running.tell(event(`denied ${n}`));
    expect(await outboxRows()).toBe(3);
    expect(lines).toHaveLength(2);
    await server.startEmpty();
    await redisReady(redis, 20_000);
    await running.start?.();
    await expect.poll(published).toEqual(['denied 1', 'denied 2', 'denied 3', 'audit.dropped']);
    await running.tell(event('afterwards'));
    expect((await published()).at(-1)).toBe('afterwards');
    await running.stop?.();
  });
});
