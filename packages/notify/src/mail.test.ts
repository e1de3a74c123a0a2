import type { AuditEvent } from '@portcullis/events';
import { sampleEvent } from '@portcullis/testing/samples';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportMail, notificationMail } from './mail.ts';

const folder = { kind: 'folder', id: '1', name: 'team' };

describe('the subject', () => {
  it.each<[string, AuditEvent[], string]>([
    ['one event', [sampleEvent()], '[Portcullis] auth.login by ada'],
    [
      'one that was denied, about something',
      [sampleEvent({ event: 'folders.remove', outcome: 'denied', resource: folder })],
      '[Portcullis] folders.remove team by ada (denied)',
    ],
    [
      'several',
      [sampleEvent(), sampleEvent(), sampleEvent({ event: 'auth.logout' })],
      '[Portcullis] 3 events: auth.login, auth.logout',
    ],
  ])('of %s', (_, events, subject) => expect(notificationMail(events).subject).toBe(subject));

  it('is one line of limited length, whatever the data', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const actor = {
          id: null,
          name: `x\r\nBcc: y@example.com${text}`,
          auth: 'session' as const,
        };
        const { subject } = notificationMail([sampleEvent({ actor, event: text })]);
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(subject.length).toBeLessThan(140);
      }),
    );
  });
});

it('each event is one line, whatever its data', () => {
  const forged = sampleEvent({ actor: { id: null, name: 'a\nforged', auth: 'session' } });
  expect(notificationMail([sampleEvent({ resource: folder }), forged]).text).toBe(
    [
      '2026-11-21T12:00:00.000Z  auth.login  success  ada  from 127.0.0.1  folder team',
      '2026-11-21T12:00:00.000Z  auth.login  success  a forged  from 127.0.0.1',
      '',
      'The attached file holds the events as a whole.',
      '',
    ].join('\n'),
  );
});

it('with many events the text shows some and the attachment all', () => {
  const events = Array.from({ length: 500 }, (_, i) => sampleEvent({ id: `e${i}` }));
  const { text, attachment } = exportMail(events);
  expect(text.split('\n')).toHaveLength(204);
  expect(text).toContain('… and 300 more');
  expect(attachment?.filename).toBe('portcullis-audit-20261121T120000.jsonl');
  expect(
    attachment?.content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(events);
});

it('the same events have the same message id, other events another', () => {
  const id = (...ids: string[]) =>
    notificationMail(ids.map((one) => sampleEvent({ id: one }))).messageId;
  expect(id('a', 'b')).toBe(id('a', 'b'));
  expect(id('a', 'b')).not.toBe(id('a', 'c'));
  expect(id('a')).toMatch(/^<[0-9a-f]{32}@portcullis>$/);
});
