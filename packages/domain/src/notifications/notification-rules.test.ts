import { describe, expect, it } from 'vitest';
import { choiceOf } from './notification-kinds.ts';
import { type NotificationSource, notificationsOf } from './notification-rules.ts';

function event(name: string, more: Partial<NotificationSource> = {}): NotificationSource {
  return {
    id: 'e1',
    at: '2026-11-24T02:00:00.000Z',
    event: name,
    outcome: 'success',
    actor: { id: 'ada', name: 'Ada' },
    resource: null,
    detail: {},
    ...more,
  };
}

const JOB = { kind: 'staging_job', id: 'j1', name: 'library/nginx:1.29' };
const kinds = (source: NotificationSource) => notificationsOf(source).map(({ kind }) => kind);

describe('a job', () => {
  it.each([
    ['staging.pulled', {}, []],
    ['staging.scanned', { verdict: 'clean' }, []],
    ['staging.scanned', { verdict: 'blocked' }, ['job.blocked']],
    ['staging.scanned', { verdict: 'blocked', standing: { state: 'allowed' } }, []],
    ['staging.scanned', { verdict: 'clean', standing: { state: 'blocked' } }, ['job.blocked']],
    ['staging.pushed', { verdict: 'blocked' }, ['job.pushed']],
    ['staging.pushed', { transfer_id: 't1' }, []],
    ['staging.cancelled', {}, []],
    ['staging.delete', {}, []],
  ])('%s with %o notifies of %o', (name, detail, expected) => {
    expect(kinds(event(name, { resource: JOB, detail }))).toEqual(expected);
  });

  it.each([
    ['staging.pulled', 'failure', 'MANIFEST_UNKNOWN', ['job.failed']],
    ['staging.pushed', 'denied', 'VULN_BLOCKED', ['job.blocked']],
    ['staging.pushed', 'denied', 'FOLDER_FORBIDDEN', ['job.failed']],
    ['staging.push', 'denied', 'FOLDER_FORBIDDEN', []],
  ] as const)('%s that is a %s with %s notifies of %o', (name, outcome, code, expected) => {
    const detail = { error: { code, side: 'source' } };
    expect(kinds(event(name, { resource: JOB, outcome, detail }))).toEqual(expected);
  });

  it('notifies the account that asked for the stage, with a link to the job', () => {
    const detail = { destination: 'ghcr.io/team/nginx:1.29' };
    expect(notificationsOf(event('staging.pushed', { resource: JOB, detail }))).toEqual([
      {
        kind: 'job.pushed',
        key: 'e1',
        at: '2026-11-24T02:00:00.000Z',
        subject: 'library/nginx:1.29',
        target: 'job',
        targetId: 'j1',
        repository: null,
        folder: null,
        facts: { ...detail, local: false },
        to: { accounts: ['ada'] },
      },
    ]);
  });

  it('says that it was pushed to the built-in registry', () => {
    const destination = 'localhost:8080/team/nginx:1.29';
    const detail = { destination, local_repository: 'team/nginx' };
    const [draft] = notificationsOf(event('staging.pushed', { resource: JOB, detail }));
    expect(draft?.facts).toEqual({ destination, local: true });
  });
});

describe('an image of the registry', () => {
  const resource = { kind: 'image', id: 'sha256:1', name: 'team/app', folder: 'team' };

  it('that becomes blocked notifies the owners of its folder', () => {
    const owners = [{ id: 'ada', name: 'Ada' }, { id: 'bob' }, null, { name: 'no id' }];
    const standing = { state: 'blocked', code: 'VULN_BLOCKED', blocking_total: 2, by: [7] };
    const gate = { policy: 'strict', code: 'VULN_BLOCKED', grace_until: '2026-12-01' };
    const detail = { ...gate, tags: ['1.0', 7, '1.1'], standing, owners };
    const [draft] = notificationsOf(event('image.blocked', { resource, detail }));
    expect(draft).toMatchObject({
      ...{ kind: 'image.blocked', subject: 'team/app', target: 'image', repository: 'team/app' },
      facts: {
        ...{ digest: 'sha256:1', policy: 'strict', code: 'VULN_BLOCKED', tags: ['1.0', '1.1'] },
        standing: { state: 'blocked', blockingTotal: 2, fixableTotal: 0, found: null, by: [] },
      },
      to: { accounts: ['ada', 'bob'] },
    });
    expect(draft?.facts.graceUntil).toBe('2026-12-01');
  });

  it('without an owner notifies no account', () => {
    expect(kinds(event('image.blocked', { resource, detail: { owners: [] } }))).toEqual([]);
  });
});

describe('waivers', () => {
  const waiver = (id: string, folder: string | null, expires_at = '2026-12-24') => ({
    ...{ id, folder, expires_at, vulnerability: `CVE-${id}` },
  });

  it('that wait notify the reviewers of each folder', () => {
    const detail = { waivers: [waiver('1', 'team'), waiver('2', null), waiver('3', 'team')] };
    const drafts = notificationsOf(event('waiver.waiting', { detail }));
    expect(
      drafts.map(({ key, folder, targetId, subject, facts, to }) => ({
        ...{ key, folder, targetId, subject, count: facts.count, to },
      })),
    ).toEqual([
      {
        ...{ key: 'e1 team', folder: 'team', targetId: null, subject: 'CVE-1', count: 2 },
        to: { reviewersOf: ['1', '3'] },
      },
      {
        ...{ key: 'e1 ', folder: null, targetId: '2', subject: 'CVE-2', count: 1 },
        to: { reviewersOf: ['2'] },
      },
    ]);
  });

  it('that end notify their requester, with the first end', () => {
    const detail = {
      waivers: [waiver('1', 'team', '2026-12-24'), waiver('2', null, '2026-12-01')],
    };
    const resource = { kind: 'user', id: 'ada', name: 'Ada' };
    expect(notificationsOf(event('waiver.ending', { resource, detail }))).toMatchObject([
      {
        ...{ kind: 'waiver.ending', targetId: null, subject: 'CVE-1' },
        facts: { count: 2, endsAt: '2026-12-01' },
        to: { accounts: ['ada'] },
      },
    ]);
  });

  it.each(['approved', 'rejected', 'revoked'] as const)(
    'that are %s notify their requester',
    (decision) => {
      const resource = { kind: 'waiver', id: 'w1', name: 'CVE-1' };
      expect(notificationsOf(event(`waiver.${decision}`, { resource }))).toMatchObject([
        {
          ...{ kind: 'waiver.decided', target: 'waiver', targetId: 'w1', subject: 'CVE-1' },
          facts: { decision, by: 'Ada' },
          to: { requesterOf: 'w1', decision, decidedBy: 'ada' },
        },
      ]);
    },
  );

  it('whose decision was refused notify no account', () => {
    const resource = { kind: 'waiver', id: 'w1', name: 'CVE-1' };
    expect(kinds(event('waiver.approved', { resource, outcome: 'denied' }))).toEqual([]);
  });
});

describe('a choice', () => {
  it('is the default until the account chooses', () => {
    expect(choiceOf('image.blocked', undefined)).toEqual({ page: true, mail: true });
    expect(choiceOf('image.cleared', undefined)).toEqual({ page: false, mail: true });
  });

  it('adds no way that the kind does not have', () => {
    const all = { page: true, mail: true };
    expect(choiceOf('job.pushed', all)).toEqual({ page: true, mail: null });
    expect(choiceOf('vulnerability.appeared', all)).toEqual({ page: null, mail: true });
    expect(choiceOf('image.blocked', { page: false, mail: false })).toEqual({
      page: false,
      mail: false,
    });
  });
});

describe('a review request', () => {
  const resource = { kind: 'review', id: '42', name: 'library/nginx:1.27', folder: 'shop' };
  const requester = { id: 'dev', name: 'dev' };
  const asked = { number: 42, findings: 29, job_id: 'j1', requested_by: requester };
  const made = (name: string, detail: object = {}, more: object = {}) =>
    notificationsOf(event(name, { resource, detail: { ...asked, ...detail }, ...more }));

  it('of 29 findings is one notification to those who may decide', () => {
    expect(made('review.requested')).toMatchObject([
      {
        ...{ kind: 'review.waiting', key: 'e1', subject: 'library/nginx:1.27', folder: 'shop' },
        ...{ target: 'review', targetId: '42', to: { decidersOf: 42 } },
        facts: { review: 42, by: 'Ada', count: 29, jobId: 'j1' },
      },
    ]);
  });

  it.each([
    ['review.decided', 'open', []],
    ['review.decided', 'approved', ['approved']],
    ['review.decided', 'partly_approved', ['partly_approved']],
    ['review.decided', 'rejected', ['rejected']],
    ['review.expired', 'expired', ['expired']],
    ['review.withdrawn', 'withdrawn', ['withdrawn']],
    ['review.push_refused', 'approved', ['push_refused']],
  ])('with the event %s and the state %s notifies its requester of %o', (name, state, expected) => {
    const found = made(name, { state, comment: 'why' });
    expect(found.map(({ facts }) => facts.outcome)).toEqual(expected);
    for (const { to, facts } of found) {
      expect(to).toEqual({ accounts: ['dev'] });
      expect(facts.reason).toBe('why');
    }
  });

  it('for an age says until when the image waits, and that it is old enough by now', () => {
    const age = { findings: 0, waits_until: '2026-12-03T10:00:00.000Z' };
    const [asked] = made('review.requested', age);
    expect(asked?.facts).toMatchObject({ count: 0, waitsUntil: '2026-12-03T10:00:00.000Z' });
    const ended = (old_enough: boolean) =>
      made('review.expired', { ...age, state: 'expired', old_enough })[0]?.facts.outcome;
    expect([ended(true), ended(false)]).toEqual(['old_enough', 'expired']);
  });

  it('for signatures says whose are missing', () => {
    const [asked] = made('review.requested', { findings: 0, missing_signatures: ['release'] });
    expect(asked?.facts).toMatchObject({ count: 0, missingSignatures: ['release'] });
  });

  it('that its requester withdraws notifies of nothing', () => {
    expect(made('review.withdrawn', { state: 'withdrawn' }, { actor: requester })).toEqual([]);
  });

  it('with a comment notifies those who take part, but not its author', () => {
    expect(made('review.commented', { text: 'which release?' })).toMatchObject([
      { kind: 'review.commented', to: { participantsOf: 42, but: 'ada' } },
    ]);
  });

  it('that was refused notifies of nothing', () => {
    expect(made('review.requested', {}, { outcome: 'denied' })).toEqual([]);
    expect(notificationsOf(event('review.requested', { resource, detail: {} }))).toEqual([]);
  });
});
