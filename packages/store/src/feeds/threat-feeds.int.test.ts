/** Feeds of KEV and EPSS on a real PostgreSQL. */
import { type AuditEvent, CveTable, type ParsedFeed, threatFeeds } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../index.ts';
import type { Store } from '../port.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});
beforeEach(async () => {
  await sql.query('TRUNCATE threat_feeds, audit_outbox CASCADE');
});

const day = (count: number) => new Date(Date.UTC(2026, 10, count));
const SOURCE = 'https://feeds.test/epss.csv.gz';
const read = (count: number) => ({ source: SOURCE, validator: `"${count}"`, at: day(count) });

/** Scores of `size` CVEs, the same for the same number. */
function scores(published: number, { size = 3, value = 500_000 } = {}): ParsedFeed {
  const entries = Array.from({ length: size }, (_, at) => ({ cve: 2021_0000000000 + at, value }));
  return {
    kind: 'epss',
    version: 'v1',
    publishedAt: day(published),
    entries: CveTable.of(entries),
  };
}

function changed(): AuditEvent {
  return {
    id: crypto.randomUUID(),
    at: day(1).toISOString(),
    event: 'feeds.updated',
    outcome: 'success',
    actor: { id: null, name: 'worker', auth: 'system' },
    action: 'update',
    resource: null,
    detail: {},
    client_ip: null,
    user_agent: null,
    method: null,
    path: null,
    status: null,
    duration_ms: null,
    request_id: null,
  };
}

const events = async () => (await store.outbox.waiting()).count;
const scoreNow = async (id: string) => {
  const kept = await store.feeds.find('epss');
  return kept && threatFeeds([kept]).epss?.score(id);
};

describe('a feed', () => {
  it('is kept with all its entries, its date and its source', async () => {
    expect(await store.feeds.find('epss')).toBeNull();
    expect(await store.feeds.replace(scores(1, { size: 100_000 }), read(2), changed())).toBe(
      'replaced',
    );
    expect(await store.feeds.list()).toEqual([
      {
        kind: 'epss',
        source: SOURCE,
        validator: '"2"',
        content: {
          version: 'v1',
          publishedAt: day(1),
          checkedAt: day(2),
          fetchedAt: day(2),
          entries: 100_000,
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        failure: null,
      },
    ]);
    expect(await scoreNow('CVE-2021-99999')).toBe(0.5);
    expect(await scoreNow('CVE-2021-100000')).toBeNull();
    expect(await events()).toBe(1);
  });

  it('is replaced as a whole, and a shorter one leaves nothing of the longer', async () => {
    await store.feeds.replace(scores(1, { size: 100_000 }), read(1), changed());
    await store.feeds.replace(scores(2, { size: 2, value: 1 }), read(2), changed());
    expect((await store.feeds.find('epss'))?.entries.size).toBe(2);
    expect(await scoreNow('CVE-2021-0001')).toBe(0.000001);
    expect(await events()).toBe(2);
  });

  it('that did not change is only marked as checked, without an event', async () => {
    await store.feeds.replace(scores(1), read(1), changed());
    expect(await store.feeds.replace(scores(1), read(2), changed())).toBe('unchanged');
    expect((await store.feeds.list())[0]?.content).toMatchObject({
      fetchedAt: day(1),
      checkedAt: day(2),
    });
    await store.feeds.confirm('epss', read(3));
    expect((await store.feeds.list())[0]?.content).toMatchObject({
      fetchedAt: day(1),
      checkedAt: day(3),
    });
    expect(await events()).toBe(1);
  });

  it('with the same scores of another day is a change', async () => {
    await store.feeds.replace(scores(1), read(1), changed());
    expect(await store.feeds.replace(scores(2), read(2), changed())).toBe('replaced');
  });

  it('that is older than the kept one changes nothing', async () => {
    await store.feeds.replace(scores(2), read(2), changed());
    expect(await store.feeds.replace(scores(1, { value: 1 }), read(3), changed())).toBe('older');
    expect((await store.feeds.list())[0]?.content?.checkedAt).toEqual(day(2));
    expect(await scoreNow('CVE-2021-0001')).toBe(0.5);
    expect(await events()).toBe(1);
  });

  it('keeps its entries when a refresh fails, and forgets the failure with the next success', async () => {
    const failure = { source: SOURCE, code: 'FEED_UNAVAILABLE', message: 'no answer', at: day(3) };
    await store.feeds.replace(scores(1), read(1), changed());
    await store.feeds.fail('epss', failure);
    expect((await store.feeds.list())[0]).toMatchObject({
      failure,
      content: { checkedAt: day(1), entries: 3 },
    });
    await store.feeds.confirm('epss', read(4));
    expect((await store.feeds.list())[0]?.failure).toBeNull();
  });

  it('that could never be read is listed without content', async () => {
    const failure = { source: SOURCE, code: 'FEED_UNAVAILABLE', message: 'no answer', at: day(3) };
    await store.feeds.fail('kev', failure);
    expect(await store.feeds.list()).toEqual([
      { kind: 'kev', source: SOURCE, validator: null, content: null, failure },
    ]);
    expect(await store.feeds.find('kev')).toBeNull();
  });

  it('of two writers at once the newer stays, and readers never see parts of both', async () => {
    const sizes = [100_000, 60_000, 20_000, 90_000];
    const writing = sizes.map((size, at) =>
      store.feeds.replace(scores(at + 1, { size, value: at }), read(at + 1), changed()),
    );
    const seen = await Promise.all(
      Array.from({ length: 20 }, async () => (await store.feeds.find('epss'))?.entries.size),
    );
    await Promise.all(writing);
    for (const size of seen) expect([undefined, ...sizes]).toContain(size);
    expect((await store.feeds.find('epss'))?.entries.size).toBe(90_000);
  });
});
