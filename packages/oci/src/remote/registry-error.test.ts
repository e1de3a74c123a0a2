import { expect, it } from 'vitest';
import { registryError } from './registry-error.ts';

const refused = (status: number, ...codes: string[]) => refusedAs({}, status, codes);

const refusedAs = (answer: object, status: number, codes: string[]) =>
  registryError(
    {
      status,
      headers: {},
      url: new URL('https://registry.example.com/v2/'),
      body: Buffer.from(
        JSON.stringify({
          errors: codes.map((code) => ({ code, message: 'the quota is used up' })),
        }),
      ),
      ...answer,
    },
    'the manifest 1 of team/app',
  );

it.each<[number, string[], string, string]>([
  [401, ['UNAUTHORIZED'], 'unauthenticated', 'REGISTRY_UNAUTHENTICATED'],
  [403, ['DENIED'], 'forbidden', 'REGISTRY_FORBIDDEN'],
  [404, ['MANIFEST_UNKNOWN'], 'not_found', 'MANIFEST_UNKNOWN'],
  [404, [], 'not_found', 'NOT_FOUND'],
  [400, ['MANIFEST_INVALID'], 'invalid', 'REGISTRY_REFUSED'],
  [403, ['TOOMANYREQUESTS'], 'rate_limited', 'REGISTRY_RATE_LIMITED'],
  [405, ['UNSUPPORTED'], 'invalid', 'REGISTRY_REFUSED'],
  [413, ['SIZE_INVALID'], 'invalid', 'REGISTRY_REFUSED'],
  [507, ['QUOTA'], 'unavailable', 'REGISTRY_UNAVAILABLE'],
  [502, [], 'unavailable', 'REGISTRY_UNAVAILABLE'],
  // Blobs that another push was writing or garbage collection removed at that moment: a retry may
  // succeed.
  [400, ['DIGEST_INVALID', 'MANIFEST_BLOB_UNKNOWN'], 'unavailable', 'REGISTRY_LACKS_BLOB'],
  [404, ['MANIFEST_BLOB_UNKNOWN'], 'unavailable', 'REGISTRY_LACKS_BLOB'],
])('%i %o is %s', (status, codes, kind, code) => {
  const error = refused(status, ...codes);
  expect(error).toMatchObject({ kind, code });
  if (codes.length > 0)
    expect(error.message).toContain('the registry says: “the quota is used up”');
});

it.each([
  [401, ['UNAUTHORIZED'], 'unauthenticated', 'LOGIN_WITHHELD'],
  [403, ['DENIED'], 'forbidden', 'LOGIN_WITHHELD'],
  [404, ['NAME_UNKNOWN'], 'not_found', 'LOGIN_WITHHELD'],
  [429, [], 'rate_limited', 'REGISTRY_RATE_LIMITED'],
  [502, [], 'unavailable', 'REGISTRY_UNAVAILABLE'],
])('%i %o to a request whose login was kept back is %s, %s', (status, codes, kind, code) => {
  const error = refusedAs({ loginWithheldFrom: 'auth.example' }, status, codes);
  expect(error).toMatchObject({ kind, code });
  const said = 'not sent to the token service auth.example';
  expect(error.message.includes(said)).toBe(code === 'LOGIN_WITHHELD');
  expect(error.message.includes('token_hosts')).toBe(code === 'LOGIN_WITHHELD');
});

it('an answer in another form than that of the specification has its words in the message', () => {
  const body = Buffer.from('<html><title>413 Request Entity Too Large</title></html>');
  expect(refusedAs({ body }, 413, []).message).toContain(
    'the registry says: “413 Request Entity Too Large”',
  );
});
