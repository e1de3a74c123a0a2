import { rateLimited } from '@portcullis/errors';
import type { AuditEvent } from '@portcullis/events';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { createFailedLoginRecorder } from './login-audit.ts';

const authorization = `Basic ${Buffer.from('ann:secret').toString('base64')}`;

function stand() {
  const events: AuditEvent[] = [];
  const recordFailedLogin = createFailedLoginRecorder(async (event) => void events.push(event));
  const request = { requestId: 'r', startedAt: 0, log: { error: () => {} } };
  const response = { locals: { request } };
  const from = (ip: string) =>
    recordFailedLogin({
      request: {
        ip,
        get: () => undefined,
        method: 'GET',
        originalUrl: '/v2/',
      } as unknown as Request,
      response: response as unknown as Response,
      authorization,
      error: rateLimited('LOGIN_THROTTLED', 'Too many failed logins.'),
    });
  return { events, from };
}

it('failed logins are recorded, without the password', async () => {
  const { events, from } = stand();
  await from('192.0.2.1');
  expect(events).toMatchObject([
    { event: 'auth.login', actor: { name: 'ann' }, client_ip: '192.0.2.1' },
  ]);
  expect(JSON.stringify(events)).not.toContain('secret');
});

it('failed logins of an address are recorded at most sixty times a minute', async () => {
  const { events, from } = stand();
  for (let n = 0; n < 500; n++) await from('192.0.2.1');
  await from('192.0.2.2');
  expect(events.map(({ client_ip }) => client_ip)).toEqual([
    ...Array(60).fill('192.0.2.1'),
    '192.0.2.2',
  ]);
});
