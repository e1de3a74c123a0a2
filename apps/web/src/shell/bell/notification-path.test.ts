import { expect, it } from 'vitest';
import { notificationPath } from './notification-path.ts';

it.each([
  [{ kind: 'job.blocked', target: 'job', target_id: 'j1', subject: 'nginx:1' }, '/staging/j1'],
  [
    { kind: 'transfer.finished', target: 'transfer', target_id: 't1', subject: '' },
    '/transfers/t1',
  ],
  [
    { kind: 'image.blocked', target: 'image', target_id: null, subject: 'team/app' },
    '/images/__local__/team/app',
  ],
  [
    {
      kind: 'image.cleared',
      target: 'image',
      target_id: null,
      subject: 'team/app',
      facts: { tags: ['1.0', '1.1'] },
    },
    '/images/__local__/team/app?tag=1.0',
  ],
  [
    { kind: 'waiver.waiting', target: 'waiver', target_id: null, subject: 'CVE-1' },
    '/waivers?state=review',
  ],
  [
    { kind: 'waiver.decided', target: 'waiver', target_id: 'w1', subject: 'CVE-1' },
    '/waivers?state=all&open=w1',
  ],
  [
    {
      kind: 'review.decided',
      target: 'review',
      target_id: '42',
      subject: 'nginx:1',
      facts: { job_id: 'j1' },
    },
    '/staging/j1',
  ],
  [
    { kind: 'review.waiting', target: 'review', target_id: '42', subject: 'nginx:1' },
    '/reviews?open=42',
  ],
] as const)('%o leads to %s', (notification, path) => {
  expect(notificationPath(notification)).toBe(path);
});
