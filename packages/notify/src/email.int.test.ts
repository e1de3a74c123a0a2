/** Runs against a real SMTP server, with each security mode and each kind of fault. */

import { lookup } from 'node:dns/promises';
import { DEFAULT_NETWORK, type EmailSettings } from '@portcullis/domain';
import { forbidden } from '@portcullis/errors';
import { PATIENCE_MS, type SmtpOptions, startSmtp, type TestSmtp } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { describe, expect, it } from 'vitest';
import { notificationMail, type Resolve, sendMail } from './index.ts';

const EVENT = sampleEvent({
  actor: { id: null, name: 'ädä\r\nBcc: evil@example.com', auth: 'session' },
});
const MAIL = notificationMail([EVENT]);
const resolve: Resolve = (host) => lookup(host, { all: true });
const LOGIN = { username: 'gate', password: 'p4ss-of-the-gate' };
/** A server that hangs ends in a timeout; a busy machine doesn't. */
const timeoutsWith = ({ hangs }: SmtpOptions) =>
  hangs ? { connectMs: 500, answerMs: 500 } : { connectMs: PATIENCE_MS, answerMs: PATIENCE_MS };

function settingsFor(server: TestSmtp, more: Partial<EmailSettings> = {}): EmailSettings {
  return {
    ...DEFAULT_NETWORK.email,
    enabled: true,
    host: '127.0.0.1',
    port: server.port,
    security: 'none',
    from_address: 'Portcullis <gate@example.com>',
    to_addresses: ['ops@example.com', 'Audit <audit@example.com>'],
    tls_ca_cert: server.caFile,
    ...more,
  };
}

async function send(options: SmtpOptions, more: Partial<EmailSettings> = {}) {
  await using server = await startSmtp(options);
  const delivery = await sendMail(MAIL, settingsFor(server, more), {
    resolve,
    timeouts: timeoutsWith(options),
  });
  return { ...delivery, mails: server.mails };
}

describe.each(['none', 'starttls', 'ssl'] as const)('with %s', (security) => {
  it.each([
    ['without', undefined, {}],
    ['with', LOGIN, LOGIN],
  ] as const)('a message arrives at every recipient, %s a login', async (_, auth, account) => {
    const { delivered, recipients, mails, transcript } = await send(
      { security, ...(auth && { auth }) },
      { security, ...account },
    );
    expect(delivered).toBe(true);
    expect(recipients.map(({ accepted }) => accepted)).toEqual([true, true]);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      from: 'gate@example.com',
      to: ['ops@example.com', 'audit@example.com'],
      secure: security !== 'none',
      email: { subject: MAIL.subject, messageId: MAIL.messageId, from: { name: 'Portcullis' } },
    });
    expect(mails[0]?.email.attachments).toMatchObject([
      { filename: 'portcullis-audit-20261121T120000.jsonl' },
    ]);
    expect(transcript.join('\n')).toContain('RCPT TO:<audit@example.com>');
  });

  it('a wrong password is reported, and appears nowhere', async () => {
    const result = await send(
      { security, auth: LOGIN },
      { security, ...LOGIN, password: 'wr0ng-password' },
    );
    expect(result).toMatchObject({
      delivered: false,
      mails: [],
      error: expect.stringContaining('535'),
    });
    const said = JSON.stringify(result);
    for (const secret of ['wr0ng-password', btoa('wr0ng-password'), btoa('\0gate\0wr0ng-password')])
      expect(said).not.toContain(secret);
  });
});

it('no data gets into a header, and the attachment is the unchanged event', async () => {
  const { mails } = await send({});
  const { raw = '', email } = mails[0] ?? {};
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
  expect(email?.subject).toBe('[Portcullis] auth.login by ädä Bcc: evil@example.com');
  const content = email?.attachments[0]?.content ?? '';
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  expect(JSON.parse(text)).toEqual(EVENT);
});

describe('nothing is delivered', () => {
  it.each<[string, SmtpOptions, Partial<EmailSettings>, RegExp]>([
    ['to a server without STARTTLS where it is required', {}, { security: 'starttls' }, /STARTTLS/],
    [
      'to a server with an untrusted certificate',
      { security: 'starttls' },
      { security: 'starttls', tls_ca_cert: null },
      /not signed by an authority/,
    ],
    [
      'the same from the start',
      { security: 'ssl' },
      { security: 'ssl', tls_ca_cert: null },
      /not signed by an authority/,
    ],
    [
      'with a missing CA file',
      { security: 'ssl' },
      { security: 'ssl', tls_ca_cert: '/nonexistent' },
      /tls_ca_cert/,
    ],
    ['to a server that never greets', { hangs: 'greeting' }, {}, /greet|time/i],
    ['to a server that never confirms', { hangs: 'message' }, {}, /time/i],
    ['to recipients that are all refused', { refuses: () => true }, {}, /550 .*no such mailbox/],
    ['where nothing listens', {}, { port: 1 }, /nothing listens there/],
    ['to an invalid name', {}, { host: 'nobody.invalid' }, /host name/],
  ])('%s', async (_, options, more, error) => {
    const result = await send(options, more);
    expect(result).toMatchObject({ delivered: false, mails: [] });
    expect(result.error).toMatch(error);
    expect(result.recipients.every(({ accepted }) => !accepted)).toBe(true);
  });
});

it.each<[string, boolean, SmtpOptions, Partial<EmailSettings>]>([
  ['the message itself', true, { refusesMessage: () => 554 }, {}],
  ['each recipient', true, { refuses: () => 553 }, {}],
  ['the message temporarily', false, { refusesMessage: () => 451 }, {}],
  ['each recipient temporarily', false, { refuses: () => 450 }, {}],
  [
    'one recipient permanently and one temporarily',
    false,
    { refuses: (address) => (address.startsWith('ops') ? 450 : 550) },
    {},
  ],
  ['mail without credentials', false, { refuses: () => 530 }, {}],
  ['the password', false, { auth: LOGIN }, { ...LOGIN, password: 'wrong' }],
  ['TLS', false, {}, { security: 'starttls' }],
])('a server that refuses %s refuses for good: %s', async (_, final, options, more) => {
  expect(await send(options, more)).toMatchObject({ delivered: false, final });
});

it('an unknown certificate is accepted where verification is disabled', async () => {
  const result = await send(
    { security: 'ssl' },
    { security: 'ssl', tls_ca_cert: null, tls_verify: false },
  );
  expect(result.delivered).toBe(true);
});

it('a refused recipient is reported, and the others receive the message', async () => {
  const result = await send({ refuses: (recipient) => recipient === 'audit@example.com' });
  expect(result).toMatchObject({
    delivered: true,
    recipients: [
      { address: 'ops@example.com', accepted: true },
      { address: 'Audit <audit@example.com>', accepted: false },
    ],
    mails: [{ to: ['ops@example.com'] }],
  });
});

it('a recipient beyond the number that the server takes is not refused for good', async () => {
  const refuses = (recipient: string) => (recipient === 'audit@example.com' ? 552 : false);
  expect((await send({ refuses })).recipients).toEqual([
    { address: 'ops@example.com', accepted: true },
    { address: 'Audit <audit@example.com>', accepted: false, final: false },
  ]);
});

/** No limit of the delivery ends it, so that only the abort can. */
const ENDLESS = { connectMs: 2 ** 31 - 1, answerMs: 2 ** 31 - 1 };

it('an aborted delivery is not awaited', async () => {
  await using server = await startSmtp({ hangs: 'greeting' });
  const result = await sendMail(MAIL, settingsFor(server), {
    resolve,
    signal: AbortSignal.timeout(100),
    timeouts: ENDLESS,
  });
  expect(result).toMatchObject({ delivered: false, error: 'it was called off' });
});

describe('the addresses of the server', () => {
  const PRIVATE_NAME = 'mail.internal.invalid';

  it('G14: a forbidden one gets no connection', async () => {
    await using server = await startSmtp({});
    const refusing = () => Promise.reject(forbidden('EGRESS_OWN_SERVICE', 'not there'));
    const result = await sendMail(MAIL, settingsFor(server), { resolve: refusing });
    expect(result).toMatchObject({ delivered: false, error: 'not there', transcript: [] });
    expect(server.mails).toEqual([]);
  });

  it('G14: those that were checked are used, and the name is not resolved again', async () => {
    await using server = await startSmtp({});
    const received: string[] = [];
    const result = await sendMail(MAIL, settingsFor(server, { host: PRIVATE_NAME }), {
      resolve: async (host, port) => {
        received.push(`${host}:${port}`);
        // Nothing listens on the first address.
        return [
          { address: '127.0.0.2', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ];
      },
    });
    expect(result).toMatchObject({ delivered: true });
    expect(received).toEqual([`${PRIVATE_NAME}:${server.port}`]);
  });
});
