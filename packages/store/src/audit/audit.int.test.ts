/** The archive of audit events: filters, pages, search, retention. */
import { randomUUID } from 'node:crypto';
import { type AuditEvent, matchesSearch, searchOf } from '@portcullis/domain';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { type AuditFilter, type AuditPosition, openStore, type Store } from '../index.ts';
import { type Effort, listAudit } from './audit-list.ts';

let database: TestDatabase;
let sql: pg.Client;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  sql = new pg.Client(database.url);
  await sql.connect();
  store = openStore(database.url, { seal: (text) => text, open: (text) => text });
});
afterAll(async () => {
  await store?.close();
  await sql?.end();
  await database?.stop();
});
beforeEach(async () => {
  await sql.query('TRUNCATE audit_events');
});

const second = (i: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, i));

function event(i: number, more: Partial<AuditEvent> & { by?: string } = {}): AuditEvent {
  const { by = 'ada', ...fields } = more;
  return {
    id: randomUUID(),
    at: second(i).toISOString(),
    event: 'auth.login',
    outcome: 'success',
    actor: { id: null, name: by, auth: 'session' },
    action: 'POST /auth/login',
    resource: null,
    client_ip: '10.0.0.1',
    user_agent: null,
    method: 'POST',
    path: '/api/auth/login',
    status: 200,
    duration_ms: 1,
    request_id: randomUUID(),
    detail: { i },
    ...fields,
  };
}

const found = async (filter: AuditFilter) =>
  (await store.audit.list(filter)).items.map(({ detail }) => detail.i);

describe('the audit archive', () => {
  it('stores an event once that is delivered twice, and lists newest first in pages', async () => {
    const events = [event(1), event(2), event(2), event(3)];
    await store.audit.insert(events);
    await store.audit.insert(events.slice(1));
    const first = await store.audit.list({}, { limit: 3 });
    expect(first.items[0]).toEqual(events[3]);
    const rest = await store.audit.list({}, { limit: 3, after: first.reached });
    expect(rest).toEqual({ items: [events[0]], reached: null });
  });

  it.each<[string, Partial<AuditEvent>, unknown]>([
    ['NUL', { detail: { reason: 'a\0b' } }, { detail: { reason: 'a\uFFFDb' } }],
    [
      'the first half of a character',
      { resource: { kind: 'group', id: null, name: 'team \ud83d' } },
      { resource: { name: 'team \uFFFD' } },
    ],
    [
      'the second half of a character',
      { user_agent: '\udd12 client' },
      { user_agent: '\uFFFD client' },
    ],
    [
      'both in a list',
      { detail: { all: ['\0', '\ud83d'] } },
      { detail: { all: ['\uFFFD', '\uFFFD'] } },
    ],
    ['NUL in a name', { detail: { '\0': 1 } }, { detail: { '\uFFFD': 1 } }],
    ['NUL in the name of its actor', { by: '\0' } as object, { actor: { name: '\uFFFD' } }],
    [
      'a backslash that looks like it',
      { detail: { reason: '\\u0000 🔒' } },
      { detail: { reason: '\\u0000 🔒' } },
    ],
  ])('stores an event with %s, and those beside it', async (_, fields, stored) => {
    await store.audit.insert([event(1), event(2, fields), event(3)]);
    const { items } = await store.audit.list({});
    expect(items).toMatchObject([{}, stored as object, {}]);
  });

  it('filters by actor, kind and time', async () => {
    const push = { event: 'image.push', by: 'bob' };
    await store.audit.insert([event(1), event(2, push), event(3), event(4, { by: 'bob' })]);
    expect(await found({ actor: 'bob' })).toEqual([4, 2]);
    expect(await found({ event: 'auth.login' })).toEqual([4, 3, 1]);
    expect(await found({ actor: 'bob', event: 'image.push' })).toEqual([2]);
    expect(await found({ since: second(3) })).toEqual([4, 3]);
    expect(await found({ until: second(3) })).toEqual([2, 1]);
  });

  it('filters by outcome', async () => {
    await store.audit.insert([event(1), event(2, { outcome: 'denied' }), event(3)]);
    expect(await found({ outcome: 'denied' })).toEqual([2]);
  });

  it('filters by what a privilege let through, with other filters and a search', async () => {
    const bypass = { decision: { because: 'bypass' }, reason: 'hotfix' };
    const pushed = (i: number, detail: object, by = 'ada') =>
      event(i, { event: 'staging.pushed', by, detail: { i, ...detail } });
    await store.audit.insert([
      event(1),
      pushed(2, bypass),
      pushed(3, { decision: { because: 'passes' }, reason: 'hotfix' }),
      pushed(4, bypass, 'bob'),
    ]);
    expect(await found({ bypassed: true })).toEqual([4, 2]);
    expect(await found({ bypassed: true, actor: 'ada' })).toEqual([2]);
    expect(await found({ bypassed: true, q: 'hotfix', until: second(4) })).toEqual([2]);
  });

  it('finds words anywhere in the event, and fragments literally', async () => {
    const image = { resource: { kind: 'image', id: null, name: 'team/app', folder: 'team' } };
    await store.audit.insert([
      event(1, image),
      event(2, { detail: { i: 2, destination: 'team/other:app' } }),
      event(3, { detail: { i: 3, said: '100%_' } }),
    ]);
    expect(await found({ q: 'APP team' })).toEqual([2, 1]);
    expect(await found({ q: 'team/app' })).toEqual([1]);
    expect(await found({ q: '100%' })).toEqual([3]);
    expect(await found({ q: 'te' })).toEqual([]);
    expect(await found({ q: '%_' })).toEqual([]);
    expect(await found({ q: 'team', until: second(2) })).toEqual([1]);
  });

  it('removes what is older than its retention, however much that is', async () => {
    await generate(12_000, 'old');
    await store.audit.insert([event(1), { ...event(2), at: new Date().toISOString() }]);
    expect(await store.audit.removeOlderThan(1)).toBe(12_001);
    expect(await found({})).toEqual([2]);
  });
});

/** One event per second before 2026, each with the word. */
async function generate(count: number, word: string): Promise<void> {
  await sql.query(
    `INSERT INTO audit_events (id, at, event, outcome, actor, body, words)
     SELECT gen_random_uuid(), timestamptz '2026-01-01Z' - n * interval '1 second', 'e', 'success', 'ada',
            jsonb_build_object('detail', jsonb_build_object('i', -n, 'is', $2::text)), ARRAY[$2::text]
       FROM generate_series(1, $1) n`,
    [count, word],
  );
}

describe('a search in an archive that is larger than the first scan', () => {
  beforeEach(async () => {
    await generate(25_000, 'common');
    await sql.query('ANALYZE audit_events');
  });

  it('finds a rare word at the other end', async () => {
    const at = new Date(Date.UTC(2024, 0, 1)).toISOString();
    await store.audit.insert([{ ...event(0), at, detail: { i: 0, needle: 'needle' } }]);
    expect(await store.audit.list({ q: 'needle' })).toMatchObject({
      items: [{ detail: { i: 0 } }],
      reached: null,
    });
  });

  it('returns every event once, page after page', async () => {
    const seen: unknown[] = [];
    let after: AuditPosition | null = null;
    do {
      const page = await store.audit.list({ q: 'common' }, { limit: 1_000, after });
      seen.push(...page.items.map(({ detail }) => detail.i));
      after = page.reached;
    } while (after);
    expect(seen).toEqual(Array.from({ length: 25_000 }, (_, n) => -n - 1));
  });

  it('reports how far it searched when the word index has too many matches for the time', async () => {
    await sql.query(`UPDATE audit_events SET words = '{old}' WHERE at < '2025-12-31 20:00Z'`);
    // Reading anything except the newest events is made slow, as it is among ten million.
    const slow = `CREATE OR REPLACE FUNCTION slow(text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS
      $$ BEGIN PERFORM pg_sleep(0.001); RETURN $1; END $$`;
    await sql.query(slow);
    await sql.query(`ALTER TABLE audit_events RENAME TO audit_rows`);
    await sql.query(
      `CREATE VIEW audit_events AS SELECT id, at, event, actor, body,
         CASE WHEN at < '2025-12-31 20:00Z' THEN slow(words) ELSE words END AS words FROM audit_rows`,
    );
    try {
      const page = await store.audit.list({ q: 'old' });
      expect(page.items).toEqual([]);
      expect(page.reached?.at).toEqual(new Date(second(0).getTime() - 12_000_000));
    } finally {
      await sql.query('DROP VIEW audit_events; ALTER TABLE audit_rows RENAME TO audit_events');
    }
  });
});

describe('a search returns what a filter of the whole archive returns, however little of it a page may read', () => {
  const DAYS = [0, 1, 2, 3, 40, 41, 300, 301, 302, 900];
  const ACTORS = ['ada', 'bob', 'Ada Lovelace'];
  const KINDS = ['image.pull', 'auth.login'];
  const NAMES = ['team/app', 'team/app:1.2', 'app/team', 'old', 'Old.Team'];
  let all: AuditEvent[];
  let db: Database;

  beforeAll(() => {
    db = openDatabase(database.url);
  });
  afterAll(() => db?.$disconnect());
  beforeEach(async () => {
    // Several events at one time, some around midnight; one word only on certain days.
    all = Array.from({ length: 600 }, (_, n): AuditEvent => {
      const day = DAYS[n % DAYS.length] ?? 0;
      const minute = n % 7 === 0 ? 24 * 60 : (n * 37) % (24 * 60);
      const at = new Date(Date.UTC(2026, 0, 1) - day * 86_400_000 + minute * 60_000).toISOString();
      const name = NAMES[(n * 11) % NAMES.length] ?? '';
      const detail = { i: n, said: day === 301 ? 'former days' : 'these days' };
      const resource = { kind: 'image', id: null, name };
      return event(n, {
        at,
        resource,
        detail,
        by: ACTORS[(n * 5) % 13] ?? 'ada',
        event: KINDS[n % 5] ?? 'x.y',
      });
    });
    await store.audit.insert(all);
    await sql.query('ANALYZE audit_events');
  });

  function naive({ actor, event: kind, since, until, q }: AuditFilter): AuditEvent[] {
    const search = q === undefined ? undefined : searchOf(q);
    return all
      .filter((each) => actor === undefined || each.actor.name === actor)
      .filter((each) => kind === undefined || each.event === kind)
      .filter(({ at }) => !since || new Date(at) >= since)
      .filter(({ at }) => !until || new Date(at) < until)
      .filter((each) => search === undefined || (search !== null && matchesSearch(each, search)))
      .sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1));
  }

  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const time = fc.constantFrom(
    ...DAYS.map((day) => new Date(Date.UTC(2026, 0, 1, 12) - day * 86_400_000)),
  );
  const filters: fc.Arbitrary<AuditFilter> = fc.record({
    actor: maybe(fc.constantFrom(...ACTORS, 'nobody')),
    event: maybe(fc.constantFrom(...KINDS)),
    since: maybe(time),
    until: maybe(time),
    q: fc.constantFrom(
      'team',
      'former',
      'team/app',
      'APP:1.2',
      'days ada',
      'old.team',
      'lovelace former',
      'no',
    ),
  });
  const efforts: fc.Arbitrary<Effort> = fc.record({
    firstLook: fc.constantFrom(1, 30, 500),
    longLook: fc.constantFrom(1, 100),
    // 0: one day per page.
    walkMs: fc.constantFrom(0, 0, 5_000),
    // 1: often too little for a day.
    timeoutMs: fc.constantFrom(1, 5_000),
  });

  it('page after page, each event once, in order', async () => {
    const property = fc.asyncProperty(
      filters,
      efforts,
      fc.constantFrom(1, 7, 50, 1_000),
      async (filter, effort, limit) => {
        const seen: AuditEvent[] = [];
        let after: AuditPosition | null = null;
        do {
          const page = await listAudit(db, filter, { limit, effort, after });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items);
          after = page.reached;
        } while (after && seen.length < 100);
        expect(seen).toEqual(naive(filter).slice(0, after ? seen.length : undefined));
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('the last pull of an image', () => {
  const pull = (i: number, more: Partial<AuditEvent> = {}) =>
    event(i, {
      event: 'image.pull',
      resource: { kind: 'image', id: 'sha256:a', name: 'team/app' },
      ...more,
    });
  const last = async () =>
    (await sql.query('SELECT digest, pulled_at FROM image_pulls')).rows.map(
      ({ digest, pulled_at }) => [digest, pulled_at.toISOString()],
    );
  beforeEach(async () => {
    await sql.query('TRUNCATE image_pulls');
  });

  it('is that of the newest event, whatever their order', async () => {
    await store.audit.insert([pull(1), pull(5), pull(3)]);
    expect(await last()).toEqual([['sha256:a', second(5).toISOString()]]);
  });

  it('names the account that pulled it', async () => {
    const actor = { id: null, name: 'cluster', auth: 'token' as const };
    await store.audit.insert([pull(1), pull(9, { actor })]);
    const { rows } = await sql.query('SELECT pulled_by FROM image_pulls');
    expect(rows).toEqual([{ pulled_by: 'cluster' }]);
  });

  it('is written again after an hour, and never goes back', async () => {
    await store.audit.insert([pull(4_000)]);
    for (const [i, expected] of [
      [1, 4_000],
      [7_000, 4_000],
      [8_000, 8_000],
    ] as const) {
      await store.audit.insert([pull(i)]);
      expect(await last()).toEqual([['sha256:a', second(expected).toISOString()]]);
    }
  });

  it('is no refused pull, no push, and nothing without a digest', async () => {
    await store.audit.insert([
      pull(1, { outcome: 'denied' }),
      pull(2, { event: 'image.push' }),
      pull(3, { resource: { kind: 'image', id: null, name: 'team/app' } }),
    ]);
    expect(await last()).toEqual([]);
  });
});
