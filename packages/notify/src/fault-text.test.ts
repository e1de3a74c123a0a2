import { describe, expect, it } from 'vitest';
import { faultText } from './fault-text.ts';

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
  ])('%s', (_, error, text) => expect(faultText(error)).toBe(text));
});
