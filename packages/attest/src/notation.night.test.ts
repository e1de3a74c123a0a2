/**
 * Compares with `notation verify` at its level strict: what counts here counts there, and where we
 * are stricter, a row says why.
 */

import type { Repository } from '@portcullis/oci/remote';
import { ASN1Obj } from '@sigstore/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factsOf, opened } from './facts.fixture.ts';
import { type SampleSigstore, sampleSigstore } from './keyless.fixture.ts';
import {
  type CertificateInput,
  coseLayer,
  type IssuedCertificate,
  issueRoot,
  jwsLayer,
  NOTARY,
  type NotaryInput,
} from './notary.fixture.ts';
import { type Programs, startPrograms } from './programs.contract.ts';
import { attachReferrer, type SampleRepository, withImage } from './repository.fixture.ts';

type Sample = SampleRepository<Repository> & { readonly at: string };

const PREFIX = 'io.cncf.notary.';
const SCHEME = `${PREFIX}signingScheme`;
const AUTHENTIC = `${PREFIX}authenticSigningTime`;
const EXPIRY = `${PREFIX}expiry`;
const HOUR = 3_600_000;
const later = (hours: number) => new Date(Date.now() + hours * HOUR);
const CONFIG = '.config/notation';
const NAME = 'x509.subject: C=US, ST=WA, O=Example';

let programs: Programs;
let root: IssuedCertificate;
let leaf: IssuedCertificate;
let tsa: SampleSigstore;
let number = 0;

beforeAll(async () => {
  programs = await startPrograms();
  root = await issueRoot();
  leaf = await root.issue({});
  tsa = await sampleSigstore();
  for (const kind of ['ca', 'signingAuthority']) {
    await programs.write(`${CONFIG}/truststore/x509/${kind}/vendor/root.crt`, root.pem);
  }
  await programs.write(`${CONFIG}/truststore/x509/tsa/vendor/root.crt`, tsa.timestampRoot);
});
afterAll(() => programs?.[Symbol.asyncDispose]());

async function sample(): Promise<Sample> {
  number += 1;
  const name = `vendor/app-${number}`;
  const made = await withImage(programs.repository(name), name);
  return { ...made, at: `${programs.host}/${name}@${made.image.digest}` };
}

interface Row {
  readonly name: string;
  readonly input?: () => Partial<NotaryInput> | Promise<Partial<NotaryInput>>;
  readonly identities?: readonly string[];
  /** The kind of the trust store that has the root. */
  readonly store?: 'ca' | 'signingAuthority';
  /** Verifies the timestamp though the certificate has not ended. */
  readonly withTimestamp?: boolean;
  readonly counts?: boolean;
  /** Why notation accepts it, and we don't. */
  readonly stricter?: string;
}

async function notationAccepts(made: Sample, row: Row) {
  const { identities = ['*'], store = 'ca', withTimestamp = false } = row;
  const verifyTimestamp = withTimestamp ? 'always' : 'afterCertExpiry';
  const policy = {
    name: 'all',
    registryScopes: ['*'],
    signatureVerification: { level: 'strict', verifyTimestamp },
    trustStores: [`${store}:vendor`, 'tsa:vendor'],
    trustedIdentities: identities,
  };
  const document = { version: '1.0', trustPolicies: [policy] };
  await programs.write(`${CONFIG}/trustpolicy.json`, JSON.stringify(document));
  return programs.run('notation', ['verify', '--insecure-registry', made.at]);
}

function authorityOf({ identities = ['*'], store = 'ca' }: Row) {
  const field = store === 'ca' ? 'store' : 'signing_authority_store';
  return opened({
    name: 'vendor',
    kind: 'certificate',
    [field]: root.pem,
    timestamp_store: tsa.timestampRoot,
    identities,
  });
}

async function compare(row: Row, write: typeof jwsLayer): Promise<void> {
  const made = await sample();
  const input = await row.input?.();
  const layer = await write({ chain: [leaf, root], target: made.image, ...input });
  await attachReferrer(made, [layer], NOTARY);
  const now = row.withTimestamp ? later(2) : new Date();
  const [fact] = await factsOf(made, [authorityOf(row)], now);
  const { isAccepted, output } = await notationAccepts(made, row);
  const told = `${JSON.stringify(fact)}\n${output}`;
  const ours = fact?.verified !== null;
  expect(ours, told).toBe(row.counts === true);
  expect(isAccepted, told).toBe(ours || row.stricter !== undefined);
}

const headers = (change: Record<string, unknown>) => () => ({ headers: change });
const certificate = (input: CertificateInput) => async () => ({
  chain: [await root.issue(input), root],
});
const token = async (signature: Buffer) => {
  const answer = ASN1Obj.parseBuffer(Buffer.from(await tsa.timestamp(signature), 'base64'));
  return answer.subs[1]?.toDER() ?? Buffer.alloc(0);
};
const authentic = (at: Date) => ({
  crit: [SCHEME, AUTHENTIC],
  [SCHEME]: 'notary.x509.signingAuthority',
  [`${PREFIX}signingTime`]: undefined,
  [AUTHENTIC]: at,
});

const ROWS: Row[] = [
  { name: 'the right root', counts: true },
  {
    name: 'a key of P-384',
    input: async () => ({ ...(await certificate({ curve: 'P-384' })()), alg: 'ES384' }),
    counts: true,
  },
  {
    name: 'a key of RSA',
    input: async () => ({ ...(await certificate({ rsa: 3072 })()), alg: 'PS384' }),
    counts: true,
  },
  { name: 'a name that is trusted', identities: [NAME], counts: true },
  { name: 'one of two names', identities: [NAME.replace('Example', 'Other'), NAME], counts: true },
  { name: 'a name that begins alike', identities: [NAME.slice(0, -1)] },
  { name: 'a name with one part more', identities: [`${NAME}, OU=Security`] },
  {
    name: 'another digest',
    input: () => ({
      target: {
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        digest: `sha256:${'a'.repeat(64)}`,
        size: 1,
      },
    }),
  },
  { name: 'another type of payload', input: headers({ cty: 'application/json' }) },
  {
    name: 'an unknown critical header',
    input: headers({ crit: [SCHEME, 'x'], x: 1 }),
    stricter: 'what is critical has to be understood',
  },
  { name: 'a plugin', input: headers({ [`${PREFIX}verificationPlugin`]: 'com.example.x' }) },
  { name: 'no list of critical headers', input: headers({ crit: undefined }) },
  { name: 'a scheme that is not critical', input: headers({ crit: ['x'], x: 1 }) },
  { name: 'an end that is not critical', input: headers({ [EXPIRY]: later(1) }) },
  { name: 'an end', input: headers({ crit: [SCHEME, EXPIRY], [EXPIRY]: later(1) }), counts: true },
  {
    name: 'an end that has passed',
    input: headers({
      crit: [SCHEME, EXPIRY],
      [`${PREFIX}signingTime`]: later(-0.9),
      [EXPIRY]: later(-0.5),
    }),
  },
  {
    name: 'an end before its time',
    input: headers({ crit: [SCHEME, EXPIRY], [EXPIRY]: later(-1) }),
  },
  { name: 'no time', input: headers({ [`${PREFIX}signingTime`]: undefined }) },
  { name: 'an unknown scheme', input: headers({ [SCHEME]: 'notary.pgp' }) },
  { name: 'an algorithm that is not of its key', input: headers({ alg: 'ES384' }) },
  {
    name: 'the signature of another key',
    input: async () => ({
      chain: [{ ...leaf, privateKey: (await root.issue({})).privateKey }, root],
    }),
  },
  { name: 'a chain without its root', input: () => ({ chain: [leaf] }) },
  { name: 'a root twice', input: () => ({ chain: [leaf, root, root] }) },
  {
    name: 'another root of the same name',
    input: async () => {
      const other = await issueRoot();
      return { chain: [await other.issue({}), other] };
    },
  },
  {
    name: 'a certificate of another root of the same name',
    input: async () => ({ chain: [await (await issueRoot()).issue({}), root] }),
  },
  { name: 'a certificate that has ended', input: certificate({ hours: [-2, -1] }) },
  { name: 'a certificate that has not begun', input: certificate({ hours: [1, 2] }) },
  { name: 'a certificate without usage', input: certificate({ usage: 0 }) },
  { name: 'a usage that is not critical', input: certificate({ isUsageCritical: false }) },
  { name: 'the usage of an authority', input: certificate({ usage: 1 | 32 }) },
  { name: 'the usage of keys', input: certificate({ usage: 1 | 4 }) },
  { name: 'the extended usage of servers', input: certificate({ uses: ['1.3.6.1.5.5.7.3.1'] }) },
  { name: 'code signing', input: certificate({ uses: ['1.3.6.1.5.5.7.3.3'] }), counts: true },
  {
    name: 'any extended usage',
    input: certificate({ uses: ['2.5.29.37.0'] }),
    stricter: 'the specification refuses it',
  },
  {
    name: 'an extended usage without code signing',
    input: certificate({ uses: ['1.2.3.4'] }),
    stricter: 'the specification refuses it',
  },
  { name: 'the mark of an authority', input: certificate({ isAuthority: true, usage: 1 }) },
  { name: 'SHA-1', input: certificate({ hash: 'SHA-1' }) },
  {
    name: 'a critical extension',
    input: certificate({ critical: '1.2.3' }),
    stricter: 'what is critical has to be understood',
  },
  { name: 'a timestamp', input: () => ({ timestamp: token }), withTimestamp: true, counts: true },
  {
    name: 'a timestamp of another signature',
    input: () => ({ timestamp: () => token(Buffer.from('another')) }),
    withTimestamp: true,
  },
  { name: 'no timestamp', withTimestamp: true },
  {
    name: 'a signing authority',
    input: headers(authentic(later(-0.5))),
    store: 'signingAuthority',
    counts: true,
  },
  { name: 'a signing authority of the other store', input: headers(authentic(later(-0.5))) },
  { name: 'a signer of the other store', store: 'signingAuthority' },
  {
    name: 'a signing authority before its certificate',
    input: headers(authentic(later(-3))),
    store: 'signingAuthority',
  },
];

describe.each([
  ['JWS', jwsLayer],
  ['COSE', coseLayer],
])('in %s', (_, write) => {
  it.each(ROWS)('$name', (row) => compare(row, write));
});

describe('what notation signs', () => {
  it.each([
    ['jws', 'true'],
    ['jws', 'false'],
    ['cose', 'true'],
    ['cose', 'false'],
  ])('counts: %s, with the list of referrers under a tag: %s', async (format, tagged) => {
    number += 1;
    const name = `signer-${number}`;
    const made = await programs.run('notation', ['cert', 'generate-test', name]);
    expect(made).toMatchObject({ isAccepted: true });
    const image = await sample();
    const { output } = await programs.run('notation', [
      ...['sign', '--insecure-registry', '--key', name, '--signature-format', format],
      ...[`--force-referrers-tag=${tagged}`, image.at],
    ]);
    const store = await programs.read(`${CONFIG}/truststore/x509/ca/${name}/${name}.crt`);
    const identities = [`x509.subject: C=US, ST=WA, O=Notary, CN=${name}`];
    const trusted = opened({ name: 'test', kind: 'certificate', store, identities });
    const facts = await factsOf(image, [trusted]);
    expect(facts, output).toMatchObject([{ reason: null, origin: { layout: 'REFERRER' } }]);
  });
});
