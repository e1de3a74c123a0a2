import { randomUUID } from 'node:crypto';
import {
  type AuditEvent,
  countsOfReview,
  MOST_OPEN_REVIEWS,
  MOST_REVIEW_COMMENTS,
  type ReviewApproval,
  type ReviewedFinding,
} from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, everyItem, openSql, type TestDatabase } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NewReview, openStore, type Store, type StoredReview, type User } from '../index.ts';

const NOW = new Date();
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);
let database: TestDatabase;
let store: Store;
let dev: User;
let folder: string;
let jobId: string;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
});
afterAll(async () => {
  await store.close();
  await database.stop();
});
beforeEach(async () => {
  dev = await store.users.insert({ username: randomUUID(), passwordHash: null });
  folder = (await store.folders.insertFolder({ name: `f-${randomUUID()}x` })).name;
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const job = await store.jobs.insert({
    ownerId: dev.id,
    image: 'library/nginx',
    tag: '1',
    source,
  });
  jobId = job.id;
});

function findings(...ids: string[]): ReviewedFinding[] {
  return ids.map((vulnerability) => ({
    ...{ vulnerability, severity: 'HIGH', title: null, cvssScore: null, cvssVector: null },
    ...{ primaryUrl: null, publishedAt: null, packages: [], packagesTotal: 0 },
  }));
}

function wanted(change: Partial<NewReview> = {}): NewReview {
  const found = change.findings ?? findings('CVE-2026-1', 'CVE-2026-2');
  return {
    jobId,
    image: {
      ...{ digest: 'sha256:a', registryId: null, host: 'docker.io' },
      ...{ repository: 'library/nginx', tag: '1.27' },
    },
    destination: {
      ...{ kind: 'local', registryId: '__local__', host: 'here', folder },
      ...{ repository: `${folder}/nginx`, tag: '1.27' },
    },
    findings: found,
    age: null,
    signatures: null,
    counts: countsOfReview(found),
    reason: 'The release needs it',
    ticket: 'SHOP-4711',
    until: days(30),
    push: null,
    requestedBy: dev,
    endsAt: days(7),
    ...change,
  };
}

const insert = (change: Partial<NewReview> = {}) => store.reviews.insertReview(wanted(change), NOW);
const image = (digest: string) => ({ ...wanted().image, digest });
const numbers = (page: { items: StoredReview[] }) => page.items.map(({ number }) => number);

async function approved(review: StoredReview, ids: string[]): Promise<void> {
  const approvals = [
    { accountId: 'u2', username: 'rita', at: NOW, except: [], until: null, comment: null },
  ];
  const closed = { accountId: 'u2', username: 'rita', at: NOW, comment: 'fine' };
  const state = ids.length === 2 ? 'approved' : 'partly_approved';
  const scope = {
    package: null,
    packageVersion: null,
    repository: null,
    digest: 'sha256:a',
    folder,
  };
  await store.reviews.save(
    { ...review, state, approvals, approved: ids, closed },
    ids.map((vulnerability) => ({ vulnerability, ...scope })),
  );
}

describe('a review request', () => {
  it('is stored with its findings, which lists leave out', async () => {
    const review = await insert();
    expect(review).toMatchObject({
      ...{
        state: 'open',
        requestedBy: dev.username,
        vulnerabilities: ['CVE-2026-1', 'CVE-2026-2'],
      },
      ...{ destination: wanted().destination, image: wanted().image, counts: { HIGH: 2 } },
      findings: [{ vulnerability: 'CVE-2026-1' }, { vulnerability: 'CVE-2026-2' }],
    });
    expect(await store.reviews.get(review.number)).toEqual(review);
    const { items } = await store.reviews.list({ requestedById: dev.id }, NOW);
    const { findings: _, ...listed } = review;
    expect(items).toEqual([listed]);
  });

  it('is open once for an image and a folder, however many ask at once', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 6 }, () =>
        store.users.insert({ username: randomUUID(), passwordHash: null }),
      ),
    );
    const asked = await Promise.allSettled(accounts.map((requestedBy) => insert({ requestedBy })));
    const [made, ...more] = asked.flatMap((each) =>
      each.status === 'fulfilled' ? each.value : [],
    );
    expect(more).toEqual([]);
    const refusals = asked.flatMap((each) => (each.status === 'rejected' ? each.reason : []));
    expect(refusals).toHaveLength(5);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: 'REVIEW_OPEN', detail: { number: made?.number } });
  });

  it('is asked again for another image, for another folder, and after it has ended', async () => {
    const other = await store.folders.insertFolder({ name: `f-${randomUUID()}x` });
    const first = await insert({ endsAt: days(-1) });
    const destination = { ...wanted().destination, folder: other.name };
    const later = [await insert(), await insert({ image: image('sha256:b') })];
    const elsewhere = await insert({ destination });
    const all = [first, ...later, elsewhere].map(({ number }) => number);
    expect(all).toEqual(all.map((_, at) => first.number + at));
  });

  it('waits with at most 99 others of its account', async () => {
    const nth = (n: number) => insert({ image: image(`sha256:${n}`) });
    for (let n = 0; n < MOST_OPEN_REVIEWS; n++) await nth(n);
    await expect(nth(MOST_OPEN_REVIEWS)).rejects.toMatchObject({ code: 'REVIEWS_MANY' });
    const another = await store.users.insert({ username: randomUUID(), passwordHash: null });
    await insert({ image: image('sha256:another'), requestedBy: another });
  });

  it('needs a folder that exists', async () => {
    const destination = { ...wanted().destination, folder: 'missing' };
    await expect(insert({ destination })).rejects.toMatchObject({ code: 'FOLDER_UNKNOWN' });
  });

  it('has the next number also where another one failed', async () => {
    const { number } = await insert();
    await expect(insert()).rejects.toMatchObject({ code: 'REVIEW_OPEN' });
    expect(await insert({ image: image('sha256:c') })).toMatchObject({ number: number + 1 });
  });

  it('is about a job that is there', async () => {
    await store.jobs.remove(jobId);
    await expect(insert()).rejects.toMatchObject({ code: 'JOB_UNKNOWN' });
  });

  it('survives its job, and not its folder', async () => {
    const { number } = await insert();
    await store.jobs.remove(jobId);
    expect(await store.reviews.get(number)).toMatchObject({ jobId: null, jobDigest: null });
    await store.folders.remove((await store.folders.get(folder)).id);
    expect(await store.reviews.find(number)).toBeNull();
  });
});

describe('a decision', () => {
  it('leaves approved waivers behind, in one transaction', async () => {
    const review = await insert();
    await approved(review, ['CVE-2026-1']);
    const saved = await store.reviews.get(review.number);
    expect(saved).toMatchObject({
      ...{ state: 'partly_approved', approved: ['CVE-2026-1'] },
      closed: { username: 'rita', comment: 'fine' },
    });
    const { items } = await store.waivers.list({ requestedBy: dev.username }, NOW);
    expect(items).toMatchObject([
      {
        ...{ vulnerability: 'CVE-2026-1', folder, digest: 'sha256:a', state: 'approved' },
        ...{ review: review.number, reason: 'The release needs it', ticket: 'SHOP-4711' },
        ...{ expiresAt: days(30), approvals: [{ username: 'rita' }] },
      },
    ]);
    await expect(approved(review, [])).rejects.toMatchObject({ code: 'REVIEW_CHANGED' });
  });

  it('is known to the next reviewer of such a vulnerability, if it sees the folder', async () => {
    const first = await insert();
    await approved(first, ['CVE-2026-1']);
    const next = await insert({ image: image('sha256:b') });
    const ask = (folders: string[] | null, before = days(1)) =>
      store.reviews.earlierDecisions({
        vulnerabilities: next.vulnerabilities,
        number: next.number,
        before,
        visibleTo:
          folders === null ? undefined : { accountId: randomUUID(), folders, external: true },
      });
    const mine = (found: Awaited<ReturnType<typeof ask>>) =>
      found.filter((each) => each.review === first.number);
    expect(mine(await ask([folder]))).toMatchObject([
      { vulnerability: 'CVE-2026-1', decision: 'approved', by: 'rita', until: days(30) },
      { vulnerability: 'CVE-2026-2', decision: 'rejected', by: 'rita', reason: 'fine' },
    ]);
    expect(mine(await ask(null))).toHaveLength(2);
    expect(mine(await ask([]))).toEqual([]);
    // What was decided later is not known before, and what was revoked later was approved.
    expect(mine(await ask(null, days(-1)))).toEqual([]);
    const sql = await openSql(database.url);
    await sql.query(
      `UPDATE waivers SET state = 'revoked', closed_by = 'rob', closed_at = $1 WHERE review_number = $2`,
      [days(2), first.number],
    );
    await sql.end();
    const decisions = async (before: Date) =>
      mine(await ask([folder], before)).map(({ decision, by }) => `${decision} by ${by}`);
    expect(await decisions(days(1))).toEqual(['approved by rita', 'rejected by rita']);
    expect(await decisions(days(3))).toEqual(['revoked by rob', 'rejected by rita']);
  });

  it('is not missed: an open request past its end is taken once, with its event', async () => {
    const { number } = await insert({ endsAt: days(-1), push: { state: 'wanted', code: null } });
    const events: AuditEvent[] = [];
    const take = () =>
      store.reviews.takeExpired(NOW, (taken) =>
        taken.map((review) => {
          const event = sampleEvent({ id: randomUUID(), detail: { number: review.number } });
          events.push(event);
          return event;
        }),
      );
    await Promise.all([take(), take()]);
    expect(events.filter(({ detail }) => detail.number === number)).toHaveLength(1);
    expect(await store.reviews.get(number)).toMatchObject({
      ...{ state: 'expired', push: { state: 'dropped' } },
    });
  });
});

it('an approval that was stored without an end ends as asked', async () => {
  const review = await insert();
  const { until: _, ...stored } = { accountId: 'u2', username: 'rita', at: NOW, until: null };
  const approval = { ...stored, except: [], comment: null } as unknown as ReviewApproval;
  await store.reviews.save({ ...review, approvals: [approval] });
  const { approvals } = await store.reviews.get(review.number);
  expect(approvals).toMatchObject([{ username: 'rita', until: null }]);
});

describe('a push that follows', () => {
  it('is taken by one process under a lease, and settled once with a comment', async () => {
    const review = await insert({ push: { state: 'wanted', code: null } });
    await store.reviews.save({ ...review, state: 'approved', push: { state: 'due', code: null } });
    const { number } = review;
    const lease = new Date(Date.now() + 60_000);
    const take = () => store.reviews.takeDuePushes({ now: new Date(), lease, number });
    const taken = await Promise.all([take(), take()]);
    expect(taken.flat()).toMatchObject([{ number }]);
    const settled = { state: 'refused', code: 'FOLDER_FORBIDDEN' } as const;
    const comment = { author: null, text: 'You may not push', code: 'FOLDER_FORBIDDEN' };
    expect(await store.reviews.settlePush(number, { ...settled, comment })).toBe(true);
    expect(await store.reviews.settlePush(number, { ...settled, comment })).toBe(false);
    expect(await store.reviews.get(number)).toMatchObject({ push: settled, commentsTotal: 1 });
    expect(await store.reviews.comments(number)).toMatchObject([
      { username: null, text: 'You may not push', code: 'FOLDER_FORBIDDEN' },
    ]);
  });
});

describe('a list of requests', () => {
  it('is paged by number, and filtered', async () => {
    const made: number[] = [];
    for (const digest of ['sha256:1', 'sha256:2', 'sha256:3'])
      made.push((await insert({ image: image(digest) })).number);
    const [first = 0] = made;
    await store.reviews.save({ ...(await store.reviews.get(first)), state: 'rejected' });
    const page = (cursor: string | null) =>
      store.reviews.list({ requestedById: dev.id, limit: 2, cursor }, NOW);
    expect((await everyItem(page)).map(({ number }) => number)).toEqual(made.toReversed());
    const open = await store.reviews.list({ requestedById: dev.id, state: 'open' }, NOW);
    expect(numbers(open)).toEqual(made.slice(1).toReversed());
    await expect(page('x')).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it.each([
    ['nginx:1.27', true],
    ['docker.io/library/nginx:1.27 shop-4711', true],
    ['cve-2026-2', true],
    ['release', true],
    ['CVE-2026-3', false],
    ['nginx:1.28', false],
    ['%', false],
  ])('is searched for %j: %s', async (q, found) => {
    const { number } = await insert();
    const { items } = await store.reviews.list({ requestedById: dev.id, q }, NOW);
    expect(items.map((each) => each.number)).toEqual(found ? [number] : []);
  });

  it('has what an account sees, and what waits for it', async () => {
    const { number } = await insert();
    const seen = async (folders: string[], accountId: string = randomUUID()) =>
      numbers(
        await store.reviews.list(
          { folder, visibleTo: { accountId, folders, external: false } },
          NOW,
        ),
      );
    expect(await seen([folder])).toEqual([number]);
    expect(await seen([])).toEqual([]);
    expect(await seen([], dev.id)).toEqual([number]);
    const waiting = (reviewableBy: string) => store.reviews.count({ folder, reviewableBy }, NOW);
    const [rita, rob] = [randomUUID(), randomUUID()];
    expect(await waiting(rita)).toBe(1);
    expect(await waiting(dev.id)).toBe(0);
    const review = await store.reviews.get(number);
    const own = {
      accountId: rita,
      username: 'rita',
      at: NOW,
      except: [],
      until: null,
      comment: null,
    };
    await store.reviews.save({ ...review, approvals: [own] });
    expect(await waiting(rita)).toBe(0);
    expect(await waiting(rob)).toBe(1);
  });

  it('names the people who may decide: those who see the folder, never the requester', async () => {
    const { number } = await insert();
    const group = await store.groups.insertGroup({ name: randomUUID() });
    await store.folders.grant((await store.folders.get(folder)).id, group.id, { canPull: true });
    const reviewer = { passwordHash: null, canBypassVulnBlock: true };
    const inside = await store.users.insert({ username: randomUUID(), ...reviewer });
    const outside = await store.users.insert({ username: randomUUID(), ...reviewer });
    await store.users.update(dev.id, { canBypassVulnBlock: true });
    for (const { id } of [inside, dev]) await store.groups.addMember(group.id, id);
    const ids = (await store.reviews.reviewersOf(number)).map(({ id }) => id);
    expect(ids).toContain(inside.id);
    expect(ids).not.toContain(outside.id);
    expect(ids).not.toContain(dev.id);
  });

  it('names those who take part and still see it, but not the one who writes', async () => {
    const { number } = await insert();
    const group = await store.groups.insertGroup({ name: randomUUID() });
    await store.folders.grant((await store.folders.get(folder)).id, group.id, { canPull: true });
    const rita = await store.users.insert({ username: randomUUID(), passwordHash: null });
    await store.groups.addMember(group.id, rita.id);
    const names = async (but: string | null) =>
      (await store.reviews.participantsOf(number, but)).map(({ id }) => id).toSorted();
    expect(await names(null)).toEqual([dev.id]);
    await store.reviews.addComment(number, { author: rita, text: 'which release?' });
    expect(await names(null)).toEqual([dev.id, rita.id].toSorted());
    expect(await names(dev.id)).toEqual([rita.id]);
    await store.groups.removeMember(group.id, rita.id);
    expect(await names(null)).toEqual([dev.id]);
  });

  it('has at most as many comments as the domain says', async () => {
    const { number } = await insert();
    const comment = () => store.reviews.addComment(number, { author: dev, text: 'why?' });
    for (let written = 0; written < MOST_REVIEW_COMMENTS; written += 1) await comment();
    await expect(comment()).rejects.toMatchObject({ code: 'REVIEW_COMMENTS_MANY' });
  });

  it('of 10,000 requests reads no more rows than the page has', async () => {
    await insert();
    const sql = await openSql(database.url);
    await sql.query(`
      INSERT INTO reviews (number, digest, source_host, image, tag, kind, folder_id, host,
                           repository, target_tag, findings, counts, reason, until,
                           requested_by_id, search_text, ends_at)
      SELECT 1000 + n, 'sha256:' || n, 'h', 'i', 't', 'local', r.folder_id, 'h', 'r', 't', '[]',
             r.counts, 'x', now(), r.requested_by_id, 'x', now() + interval '1 day'
        FROM reviews r, generate_series(1, 10000) n
       WHERE r.requested_by_id = '${dev.id}'`);
    await sql.query('UPDATE review_counters SET last = 11000; ANALYZE reviews');
    const { rows } = await sql.query<Record<string, string>>(`
      EXPLAIN (ANALYZE, TIMING OFF) SELECT number FROM reviews
       WHERE state = 'open' AND ends_at > now() ORDER BY number DESC LIMIT 51`);
    await sql.end();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index.* Scan .*reviews_/);
    expect(plan).not.toMatch(/Sort/);
  });
});
