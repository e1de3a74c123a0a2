import { describe, expect, it } from 'vitest';
import { type WebhookSource, webhookMessages } from './webhook-messages.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

function event(name: string, more: Partial<WebhookSource> = {}): WebhookSource {
  return {
    id: 'e1',
    at: '2026-11-24T02:00:00.000Z',
    event: name,
    outcome: 'success',
    actor: { name: 'ada' },
    resource: null,
    detail: {},
    ...more,
  };
}

const JOB = { kind: 'staging_job', id: 'j1', name: 'library/nginx:1.29' };
const kinds = (source: WebhookSource, folder: string | null = null) =>
  webhookMessages(source, folder).map(({ kind }) => kind);

describe('a job', () => {
  it.each([
    ['staging.pulled', {}, ['job.pulled']],
    ['staging.scanned', { verdict: 'clean' }, ['job.scanned']],
    ['staging.scanned', { verdict: 'blocked' }, ['job.scanned', 'job.blocked']],
    ['staging.scanned', { verdict: 'blocked', standing: { state: 'passes' } }, ['job.scanned']],
    ['staging.pushed', { verdict: 'blocked' }, ['job.pushed']],
    ['staging.cancelled', {}, []],
    ['staging.delete', {}, []],
  ])('%s with %o is %o', (name, detail, expected) => {
    expect(kinds(event(name, { resource: JOB, detail }))).toEqual(expected);
  });

  it.each([
    ['denied', 'VULN_BLOCKED', ['job.blocked']],
    ['denied', 'FOLDER_FORBIDDEN', ['job.failed']],
    ['failure', 'REGISTRY_UNAVAILABLE', ['job.failed']],
  ] as const)('whose push is %s with %s is %o', (outcome, code, expected) => {
    const detail = { error: { code, side: 'target' } };
    expect(kinds(event('staging.pushed', { outcome, resource: JOB, detail }))).toEqual(expected);
  });

  it('that is scanned and blocked is two messages with two ids, which never change', () => {
    const source = event('staging.scanned', { resource: JOB, detail: { verdict: 'blocked' } });
    expect(webhookMessages(source, null).map(({ id }) => id)).toEqual(['e1', 'e1-blocked']);
  });

  it('is told to a folder only if it goes there, by the whole name of the folder', () => {
    const to = (repository: string | null) =>
      kinds(
        event('staging.pulled', { resource: JOB, detail: { local_repository: repository } }),
        'team',
      );
    expect(to('team/app')).toEqual(['job.pulled']);
    expect([to('teams/app'), to('team'), to('other/team/app'), to(null)]).toEqual([[], [], [], []]);
  });

  it('has the named fields and no others', () => {
    const detail = { digest: DIGEST, size: 1, error: null, decision: { secret: 'x' }, owners: [1] };
    expect(webhookMessages(event('staging.pulled', { resource: JOB, detail }), null)).toEqual([
      {
        id: 'e1',
        kind: 'job.pulled',
        time: '2026-11-24T02:00:00.000Z',
        subject: 'library/nginx:1.29',
        data: {
          job_id: 'j1',
          image: 'library/nginx:1.29',
          account: 'ada',
          digest: DIGEST,
          size: 1,
        },
      },
    ]);
  });
});

it('a mirror that holds an image back names both digests, the tag and the reason', () => {
  const detail = {
    ...{ tag: '1', because: 'other_digest', upstream_digest: `sha256:${'b'.repeat(64)}` },
    ...{ code: 'VULN_BLOCKED', secret: 'x' },
  };
  const resource = { kind: 'image', id: DIGEST, name: 'docker.io/app', folder: 'docker.io' };
  const source = event('mirror.last_good', { resource, detail });
  const { secret: _, ...named } = detail;
  expect(webhookMessages(source, 'docker.io')).toMatchObject([
    {
      ...{ kind: 'mirror.last_good', subject: 'docker.io/app' },
      data: { repository: 'docker.io/app', digest: DIGEST, ...named },
    },
  ]);
  expect(kinds(source, 'team')).toEqual([]);
});

describe('an event of a folder', () => {
  const image = { kind: 'image', id: DIGEST, name: 'team/app', folder: 'team' };
  const waiver = { kind: 'waiver', id: 'w1', name: 'CVE-2026-1', folder: 'team' };
  it.each([
    ['image.push', image, 'image.pushed'],
    ['image.blocked', image, 'image.blocked'],
    ['image.cleared', image, 'image.cleared'],
    ['waiver.requested', waiver, 'waiver.requested'],
    ['waiver.approved', waiver, 'waiver.approved'],
    ['waiver.expired', waiver, 'waiver.expired'],
  ])('%s is told to its folder and to global webhooks, to no other', (name, resource, kind) => {
    const source = event(name, { resource });
    expect([kinds(source, 'team'), kinds(source)]).toEqual([[kind], [kind]]);
    expect(kinds(source, 'other')).toEqual([]);
  });

  it('of a standing has the tags of the image', () => {
    const source = event('image.blocked', { resource: image, detail: { tags: ['1.0'] } });
    const [message] = webhookMessages(source, null);
    expect(message?.data).toEqual({ repository: 'team/app', digest: DIGEST, tags: ['1.0'] });
  });

  it('that was refused is not told', () => {
    expect(kinds(event('image.push', { outcome: 'denied', resource: image }))).toEqual([]);
    expect(kinds(event('waiver.approved', { outcome: 'failure', resource: waiver }))).toEqual([]);
  });
});

it('a vulnerability in several folders shows each folder only itself', () => {
  const source = event('vulnerability.appeared', {
    resource: { kind: 'vulnerability', id: null, name: 'CVE-2026-1' },
    detail: { severity: 'HIGH', images: 9, folders: ['team', 'secret'], owners: [{ name: 'x' }] },
  });
  const dataFor = (folder: string | null) => webhookMessages(source, folder)[0]?.data;
  const known = { vulnerability: 'CVE-2026-1', severity: 'HIGH' };
  expect(dataFor('team')).toEqual({ ...known, folders: ['team'] });
  expect(dataFor(null)).toEqual({ ...known, images: 9, folders: ['team', 'secret'] });
  expect(dataFor('other')).toBeUndefined();
});

it('waivers that end are listed for a folder without those of other folders', () => {
  const [mine, theirs] = [
    { id: '1', folder: 'team' },
    { id: '2', folder: 'other' },
  ];
  const source = event('waiver.ending', { detail: { waivers: [mine, theirs] } });
  expect(webhookMessages(source, 'team')[0]?.data).toEqual({ waivers: [mine] });
  expect(webhookMessages(source, null)[0]?.data).toEqual({ waivers: [mine, theirs] });
  expect(webhookMessages(source, 'third')).toEqual([]);
});

describe('a review request', () => {
  const resource = { kind: 'review', id: '42', name: 'library/nginx:1.27', folder: 'shop' };
  const detail = {
    ...{ number: 42, findings: 29, reason: 'the release needs it', client: '192.0.2.1' },
    requested_by: { id: 'u1', name: 'dev' },
  };
  const review = (name: string, more: object = {}) =>
    event(name, { resource, detail: { ...detail, ...more } });

  it('is one message of its folder, with the named fields and no others', () => {
    expect(webhookMessages(review('review.requested'), 'shop')).toMatchObject([
      {
        ...{ id: 'e1', kind: 'review.requested', subject: 'library/nginx:1.27' },
        data: {
          ...{ image: 'library/nginx:1.27', folder: 'shop', account: 'ada', requested_by: 'dev' },
          ...{ number: 42, findings: 29, reason: 'the release needs it' },
        },
      },
    ]);
    const [message] = webhookMessages(review('review.requested'), null);
    expect(Object.keys(message?.data ?? {})).not.toContain('client');
    expect(kinds(review('review.requested'), 'data')).toEqual([]);
  });

  it.each([
    ['open', []],
    ['approved', ['review.decided']],
    ['rejected', ['review.decided']],
  ])('with a decision after which it is %s is %o', (state, expected) => {
    expect(kinds(review('review.decided', { state }))).toEqual(expected);
  });
});
