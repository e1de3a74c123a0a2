import { expect, it } from 'vitest';
import { unreachable } from '../database.ts';
import { describeDatabaseFault } from './database-fault.ts';

it.each([
  ['nothing listens', { code: 'ECONNREFUSED' }, 'nothing listens'],
  [
    'no TLS is offered',
    { message: 'The server does not support SSL connections' },
    'not offer TLS',
  ],
  ['the CA is unknown', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'sslrootcert'],
  ['the name differs', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'for another name'],
  [
    'the password is wrong',
    { code: '28P01', message: 'password authentication failed' },
    'password',
  ],
  [
    'TLS is wanted',
    { code: '28000', message: 'no pg_hba.conf entry for host "10.0.0.1", no encryption' },
    'it says “no pg_hba.conf entry for host "10.0.0.1", no encryption”',
  ],
  [
    'the database is missing',
    { code: '3D000', message: 'database "x" does not exist' },
    '“database "x" does not exist”',
  ],
  [
    'a pooler refuses',
    { code: '08P01', message: 'unsupported startup parameter: options' },
    'a pooler before it, refuses the connection; it says “unsupported startup parameter: options”',
  ],
  ['it is full', { code: '53300', message: 'sorry, too many clients already' }, 'max_connections'],
  ['it takes no writes', { code: '25006', message: 'read-only transaction' }, 'it is a standby'],
  ['it has no password', { message: 'SASL: client password must be a string' }, 'has none'],
])('where %s, the sentence says so', (_, fault, said) => {
  expect(describeDatabaseFault(fault)).toContain(said);
});

it('the words of the other side are one line and bounded', () => {
  const said = describeDatabaseFault({
    code: '28000',
    message: `a\u001b[31m\nb ${'x'.repeat(500)}`,
  });
  expect(said).toContain('“a [31m b xxx');
  expect(said.length).toBeLessThan(400);
});

it.each([
  ['of the driver', Object.assign(new Error('no'), { code: '28P01' })],
  [
    'that Prisma wrapped',
    { meta: { driverAdapterError: { cause: { originalCode: '28P01', kind: 'x' } } } },
  ],
])('an error %s gives the same sentence', (_, error) => {
  expect(unreachable(error).message).toContain('refuses the password');
});
