import { expect, it } from 'vitest';
import { newWebhookSecret, webhookHeaders } from './signature.ts';

/** The vector of the reference libraries of Standard Webhooks. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSAGE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_999),
  body: '{"test": 2432232314}',
};
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

it('signs the test vector of Standard Webhooks', () => {
  expect(webhookHeaders(MESSAGE, [SECRET])).toEqual({
    'webhook-id': MESSAGE.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': SIGNATURE,
  });
});

it('signs with both secrets while a rotation overlaps', () => {
  const other = newWebhookSecret();
  const signature = webhookHeaders(MESSAGE, [other, SECRET])['webhook-signature'] ?? '';
  const [first, second, ...more] = signature.split(' ');
  expect([second, more]).toEqual([SIGNATURE, []]);
  expect(first).toMatch(/^v1,[\w+/]{43}=$/);
  expect(first).not.toBe(second);
});

it('a new secret has 32 random bytes', () => {
  const [one, other] = [newWebhookSecret(), newWebhookSecret()];
  expect(one).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(one).not.toBe(other);
});
