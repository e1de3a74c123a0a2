import { unavailable } from '@portcullis/errors';
import { describe, expect, it } from 'vitest';
import { DeliveryError, failureOf } from './failure.ts';

const REFUSED = 'nothing listens there';
const UNTRUSTED = 'its certificate is not signed by an authority we trust';
const NO_TLS = 'it does not speak TLS that we understand';

function fault(
  codes: { code?: string; originalCode?: string },
  message = 'x',
  cause?: Error,
): Error {
  return Object.assign(new Error(message, { cause }), codes);
}

describe('the description of a connection fault', () => {
  it.each<[string, unknown, string]>([
    ['come from its code', fault({ code: 'ECONNREFUSED' }), REFUSED],
    [
      'come from the code that nodemailer kept',
      fault({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }),
      REFUSED,
    ],
    [
      'come from the code of a certificate that nodemailer kept',
      fault({ code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      UNTRUSTED,
    ],
    ['come from the code of its cause', fault({}, 'x', fault({ code: 'ECONNREFUSED' })), REFUSED],
    [
      'come from the first of several',
      new AggregateError([fault({ code: 'ECONNREFUSED' })]),
      REFUSED,
    ],
    ['come from any code of OpenSSL', fault({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), NO_TLS],
    [
      'are its message where only that has the code of another fault',
      fault({ code: 'EMESSAGE' }, 'the relay wrote of ECONNREFUSED'),
      'the relay wrote of ECONNREFUSED',
    ],
    [
      'are its message where only that speaks of certificates',
      fault({}, 'unable to verify the certificate of your order'),
      'unable to verify the certificate of your order',
    ],
    [
      'are its message where the code is a name that each object has',
      fault({ code: 'toString' }),
      'x',
    ],
    ['are few where it is no error', 'ECONNREFUSED', 'it failed'],
  ])('%s', (_, error, text) => expect(failureOf(error).error).toBe(text));
});

describe('the code of a failure', () => {
  it.each<[string, unknown, object]>([
    [
      'that of its cause',
      fault({ code: 'ECONNREFUSED' }),
      { code: 'CONNECTION_REFUSED', params: {} },
    ],
    ['ours', new DeliveryError('COLLECTOR_CLOSED'), { code: 'COLLECTOR_CLOSED', params: {} }],
    [
      'that of a refused address or file, with its parameters',
      unavailable('TLS_FILE_UNREADABLE', 'x', { detail: { setting: 'tls_ca_cert' } }),
      { code: 'TLS_FILE_UNREADABLE', params: { setting: 'tls_ca_cert' }, error: 'x' },
    ],
    [
      'general where only the message says why',
      fault({}, 'odd'),
      { code: 'DELIVERY_FAILED', error: 'odd' },
    ],
  ])('is %s', (_, error, expected) => expect(failureOf(error)).toMatchObject(expected));
});
