/**
 * Compares with `cosign verify` of 2.6 and 3.1: what counts here counts there, and where we are
 * stricter, a row says why.
 */
import { type Digest, limitManifestChildren, MAX_MANIFEST_CHILDREN } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedAuthority } from './authority/open-authority.ts';
import { factsOf, keyAuthority, opened } from './facts.fixture.ts';
import {
  certificatePem,
  dsseBody,
  hashedBody,
  ISSUER,
  keylessBundle,
  rekor2Body,
  type SampleEntry,
  type SampleSigner,
  type SampleSigstore,
  SUBJECT,
  sampleSigstore,
  type Witnesses,
  withoutTime,
} from './keyless.fixture.ts';
import { type Programs, startPrograms } from './programs.contract.ts';
import {
  attachByTag,
  attachReferrer,
  type LayerInput,
  type SampleRepository,
  withImage,
} from './repository.fixture.ts';
import {
  bundleLayer,
  DSSE,
  envelope,
  keyBundle,
  SIMPLE_SIGNING,
  sampleKey,
  simpleSigning,
  simpleSigningLayer,
  statement,
} from './signing.fixture.ts';

type Sample = SampleRepository<Repository>;
type Version = 'cosign-2' | 'cosign-3';
const VERSIONS: readonly Version[] = ['cosign-2', 'cosign-3'];
const TYPE = 'https://example.com/scan/v1';
const OTHER = `sha256:${'a'.repeat(64)}` as const;

let programs: Programs;
let sigstore: SampleSigstore;
let number = 0;
const key = sampleKey();
const stranger = sampleKey();

beforeAll(async () => {
  programs = await startPrograms();
  sigstore = await sampleSigstore();
  await programs.write('key.pem', key.pem);
  await programs.write('root.json', sigstore.root());
});
afterAll(() => programs?.[Symbol.asyncDispose]());

async function sample(): Promise<Sample & { at: string }> {
  number += 1;
  const name = `team/app-${number}`;
  const made = await withImage(programs.repository(name), name);
  return { ...made, at: `${programs.host}/${name}@${made.image.digest}` };
}

interface Row {
  readonly name: string;
  readonly attach: (to: Sample) => Promise<unknown>;
  /** An attestation of `TYPE`; else a signature of the image. */
  readonly isAttestation?: boolean;
  /** A bundle, of which cosign 2 has to be told. */
  readonly isBundle?: boolean;
  /** cosign 2 counts timestamps where it is told to. */
  readonly withTimestamps?: boolean;
  readonly counts?: boolean;
  /** Why cosign accepts it, and we don't. */
  readonly stricter?: string;
}

const COMMON = ['--allow-http-registry', '--trusted-root', 'root.json'];
const BY_KEY = ['--key', 'key.pem', '--insecure-ignore-tlog=true'];
const BY_IDENTITY = ['--certificate-identity', SUBJECT, '--certificate-oidc-issuer', ISSUER];

async function answerOf(
  version: Version,
  at: string,
  { isAttestation, isBundle, withTimestamps }: Row,
  by: readonly string[],
) {
  const verb = isAttestation ? ['verify-attestation', '--type', TYPE] : ['verify'];
  const format = version === 'cosign-2' ? [`--new-bundle-format=${isBundle === true}`] : [];
  const timestamps = withTimestamps ? ['--use-signed-timestamps'] : [];
  return programs.run(version, [...verb, ...format, ...timestamps, ...COMMON, ...by, at]);
}

async function compare(row: Row, authority: OpenedAuthority, by: readonly string[]) {
  const made = await sample();
  await row.attach(made);
  const facts = await factsOf(made, [authority]);
  const wanted = row.isAttestation ? TYPE : null;
  const ours = facts.some(({ verified, predicateType }) => verified && predicateType === wanted);
  const answers = await Promise.all(VERSIONS.map((version) => answerOf(version, made.at, row, by)));
  const told = `${JSON.stringify(facts)}\n${answers.map(({ output }) => output).join('\n')}`;
  expect(ours, told).toBe(row.counts === true);
  const isAccepted = answers.some((answer) => answer.isAccepted);
  const isAcceptedByAll = answers.every((answer) => answer.isAccepted);
  expect(ours ? isAcceptedByAll : isAccepted, told).toBe(ours || row.stricter !== undefined);
}

function dsseLayer(signed: object): LayerInput {
  const annotations = { 'dev.cosignproject.cosign/signature': '' };
  return { mediaType: DSSE, bytes: Buffer.from(JSON.stringify(signed)), annotations };
}

const bySig = (layer: (digest: Digest) => LayerInput) => (to: Sample) =>
  attachByTag(to, 'sig', [layer(to.image.digest)]);

/** Our own client would push no such manifest. */
async function attachAfterMany(to: Sample, others: number): Promise<void> {
  const signed = simpleSigningLayer(key, simpleSigning(to.image.digest));
  const junk = Array.from({ length: others }, (_, at) => {
    const signature = Buffer.from(`none ${at}`).toString('base64');
    return { ...signed, annotations: { 'dev.cosignproject.cosign/signature': signature } };
  });
  limitManifestChildren(2 * others);
  await attachByTag(to, 'sig', [...junk, signed]).finally(() => {
    limitManifestChildren(MAX_MANIFEST_CHILDREN);
  });
}
const byAtt = (layer: (digest: Digest) => LayerInput) => (to: Sample) =>
  attachByTag(to, 'att', [layer(to.image.digest)]);
const byBundle = (bundle: (digest: Digest) => object) => (to: Sample) =>
  attachReferrer(to, [bundleLayer(bundle(to.image.digest))]);
const payload = (digest: string, change: object = {}) => simpleSigning(digest, change);
const attested = (digest: Digest, change: object = {}) =>
  statement(digest, { predicateType: TYPE, ...change });
const replaced = (bytes: Buffer, start: string) =>
  Buffer.from(bytes.toString().replace('{', start));

const ambiguity = 'another reader may see another digest';

const SIGNATURES: Row[] = [
  {
    name: 'the right key',
    attach: bySig((digest) => simpleSigningLayer(key, payload(digest))),
    counts: true,
  },
  {
    name: 'another key',
    attach: bySig((digest) => simpleSigningLayer(stranger, payload(digest))),
  },
  {
    name: 'a second signature, of the right key',
    attach: (to) => {
      const signed = payload(to.image.digest);
      return attachByTag(
        to,
        'sig',
        [stranger, key].map((by) => simpleSigningLayer(by, signed)),
      );
    },
    counts: true,
  },
  { name: 'another digest', attach: bySig(() => simpleSigningLayer(key, payload(OTHER))) },
  {
    name: 'the payload of another repository',
    attach: bySig((digest) => {
      const identity = { 'docker-reference': 'elsewhere.example.com/other' };
      return simpleSigningLayer(key, payload(digest, { identity }));
    }),
    counts: true,
  },
  {
    name: 'another type of payload',
    attach: bySig((digest) => simpleSigningLayer(key, payload(digest, { type: 'atomic' }))),
    stricter: 'critical.type says what was signed',
  },
  {
    name: 'an unknown critical field',
    attach: bySig((digest) => simpleSigningLayer(key, payload(digest, { until: '2020' }))),
    stricter: 'a field is marked as critical so that it is understood',
  },
  {
    name: 'a member twice',
    attach: bySig((digest) =>
      simpleSigningLayer(key, replaced(payload(digest), '{"critical":{},')),
    ),
    stricter: ambiguity,
  },
  {
    name: 'no signature',
    attach: bySig((digest) => ({ mediaType: SIMPLE_SIGNING, bytes: payload(digest) })),
  },
  {
    name: 'the right key after 10,000 others',
    attach: (to) => attachAfterMany(to, 10_000),
  },
  { name: 'no payload', attach: bySig(() => simpleSigningLayer(key, Buffer.from('# Hello'))) },
];

const ATTESTATIONS: Row[] = [
  {
    name: 'the right key',
    attach: byAtt((digest) => dsseLayer(envelope(key, attested(digest)))),
    counts: true,
  },
  {
    name: 'another key',
    attach: byAtt((digest) => dsseLayer(envelope(stranger, attested(digest)))),
  },
  { name: 'another digest', attach: byAtt(() => dsseLayer(envelope(key, attested(OTHER)))) },
  {
    name: 'another type of predicate',
    attach: byAtt((digest) =>
      dsseLayer(envelope(key, attested(digest, { predicateType: 'https://example.com/other' }))),
    ),
  },
  {
    name: 'another type of payload',
    attach: byAtt((digest) => dsseLayer(envelope(key, attested(digest), 'application/json'))),
  },
  {
    name: 'two signatures',
    attach: byAtt((digest) => {
      const ours = envelope(key, attested(digest));
      const { signatures } = envelope(stranger, attested(digest));
      return dsseLayer({ ...ours, signatures: [...signatures, ...ours.signatures] });
    }),
    stricter: 'which of several signers counts would be for each reader to choose',
  },
].map((row) => ({ ...row, isAttestation: true }));

const BUNDLES: Row[] = [
  {
    name: 'the right key',
    attach: byBundle((digest) => keyBundle(envelope(key, statement(digest)))),
    counts: true,
  },
  {
    name: 'another key',
    attach: byBundle((digest) => keyBundle(envelope(stranger, statement(digest)))),
  },
  { name: 'another digest', attach: byBundle(() => keyBundle(envelope(key, statement(OTHER)))) },
  {
    name: 'an attestation in place of a signature',
    attach: byBundle((digest) => keyBundle(envelope(key, attested(digest)))),
    stricter: 'to attest a list of packages is not to approve the image',
  },
  {
    name: 'an attestation',
    isAttestation: true,
    attach: byBundle((digest) => keyBundle(envelope(key, attested(digest)))),
    counts: true,
  },
  {
    name: 'another payload under the signature',
    attach: byBundle((digest) => {
      const other = statement(digest, { predicate: { passed: true } }).toString('base64');
      return keyBundle({ ...envelope(key, statement(digest)), payload: other });
    }),
  },
  {
    name: 'another type of payload',
    attach: byBundle((digest) => keyBundle(envelope(key, statement(digest), 'application/json'))),
  },
  {
    name: 'a member twice',
    attach: byBundle((digest) =>
      keyBundle(envelope(key, replaced(statement(digest), '{"subject":[],'))),
    ),
  },
  {
    name: 'two signatures',
    attach: byBundle((digest) => {
      const ours = envelope(key, statement(digest));
      const { signatures } = envelope(stranger, statement(digest));
      return keyBundle({ ...ours, signatures: [...signatures, ...ours.signatures] });
    }),
  },
  {
    name: 'an unknown version',
    attach: byBundle((digest) =>
      keyBundle(envelope(key, statement(digest)), {
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.9+json',
      }),
    ),
  },
  {
    name: '5 MB',
    attach: byBundle((digest) =>
      keyBundle(envelope(key, statement(digest, { predicate: { text: 'x'.repeat(4_000_000) } }))),
    ),
    stricter: 'one of more than 4 MiB is not read',
  },
].map((row) => ({ ...row, isBundle: true }));

describe.each([
  ['a tag', SIGNATURES],
  ['an attestation under a tag', ATTESTATIONS],
  ['a bundle', BUNDLES],
])('of a key in %s', (_, rows) => {
  it.each(rows)('$name', (row) => compare(row, keyAuthority(key.pem), BY_KEY));
});

interface Keyless {
  readonly name: string;
  readonly witnesses: (to: {
    signer: SampleSigner;
    signed: ReturnType<typeof envelope>;
    signature: Buffer;
  }) => Promise<Witnesses>;
  readonly signer?: Parameters<SampleSigstore['signer']>[0];
  readonly of?: () => Promise<SampleSigstore>;
  readonly withTimestamps?: boolean;
  readonly counts?: boolean;
  readonly stricter?: string;
}

type Signed = Parameters<Keyless['witnesses']>[0];
const logged = async ({ signer, signed }: Signed, at?: Date) => ({
  entries: [await sigstore.entry(dsseBody(signer, signed), at)],
});
const later = (minutes: number) =>
  new Date(Math.floor(Date.now() / 1000) * 1000 + minutes * 60_000);
const changed =
  (change: (entry: SampleEntry) => object) =>
  async (to: Signed): Promise<Witnesses> => {
    const [entry] = (await logged(to)).entries;
    return { entries: entry ? [{ ...entry, ...change(entry) }] : [] };
  };

const KEYLESS: Keyless[] = [
  { name: 'a log entry', witnesses: (to) => logged(to), counts: true },
  {
    name: 'an entry of Rekor 2',
    witnesses: async ({ signer, signed, signature }) => ({
      entries: [withoutTime(await sigstore.entry(rekor2Body(signer, signed)))],
      timestamps: [await sigstore.timestamp(signature)],
    }),
    withTimestamps: true,
    counts: true,
  },
  {
    name: 'an entry of Rekor 2 without a timestamp',
    witnesses: async ({ signer, signed }) => ({
      entries: [withoutTime(await sigstore.entry(rekor2Body(signer, signed)))],
    }),
  },
  {
    name: 'an identity that begins alike',
    witnesses: (to) => logged(to),
    signer: { subject: `${SUBJECT}0` },
  },
  {
    name: 'an identity of which ours begins alike',
    witnesses: (to) => logged(to),
    signer: { subject: SUBJECT.slice(0, -1) },
  },
  { name: 'another issuer', witnesses: (to) => logged(to), signer: { issuer: `${ISSUER}/` } },
  { name: 'no log entry', witnesses: async () => ({}) },
  {
    name: 'a timestamp in place of a log entry',
    witnesses: async ({ signature }) => ({ timestamps: [await sigstore.timestamp(signature)] }),
  },
  {
    name: 'one entry twice',
    witnesses: async (to) => {
      const { entries } = await logged(to);
      return { entries: [...entries, ...entries] };
    },
  },
  {
    name: 'an entry of another signature',
    witnesses: async ({ signer }) => {
      const other = envelope(signer, Buffer.from('{}'));
      return { entries: [await sigstore.entry(dsseBody(signer, other))] };
    },
  },
  {
    name: 'an entry with another certificate',
    witnesses: async ({ signed }) => ({
      entries: [await sigstore.entry(dsseBody(await sigstore.signer(), signed))],
    }),
  },
  { name: 'an entry after the certificate', witnesses: (to) => logged(to, later(20)) },
  { name: 'an entry before the certificate', witnesses: (to) => logged(to, later(-20)) },
  {
    name: 'a time that is not signed',
    witnesses: changed(({ integratedTime }) => ({
      integratedTime: `${Number(integratedTime) + 1}`,
    })),
  },
  {
    name: 'an entry of another log',
    witnesses: async ({ signer, signed }) => {
      const other = await sampleSigstore();
      return { entries: [await other.entry(dsseBody(signer, signed))] };
    },
  },
  {
    name: 'another root',
    of: () => sampleSigstore(),
    witnesses: (to) => logged(to),
  },
  {
    name: 'a timestamp of another signature',
    witnesses: async (to) => ({
      ...(await logged(to)),
      timestamps: [await sigstore.timestamp(Buffer.from('another'))],
    }),
    stricter: 'each timestamp has to be of the root and of this signature',
  },
];

const keyless = () =>
  opened({
    name: 'ci',
    kind: 'keyless',
    issuer: ISSUER,
    subject: SUBJECT,
    root: sigstore.root(),
  });

describe('of a workflow', () => {
  it.each(KEYLESS)('in a bundle: $name', async ({ witnesses, signer: options, of, ...row }) => {
    const attach = async (to: Sample) => {
      const signer = await ((await of?.()) ?? sigstore).signer(options);
      const signed = envelope(signer, statement(to.image.digest));
      const signature = Buffer.from(signed.signatures[0]?.sig ?? '', 'base64');
      const made = await witnesses({ signer, signed, signature });
      await attachReferrer(to, [bundleLayer(keylessBundle(signer, signed, made))]);
    };
    await compare({ ...row, attach, isBundle: true }, keyless(), BY_IDENTITY);
  });

  const annotationsOf = (signer: SampleSigner, entry: SampleEntry) => ({
    'dev.sigstore.cosign/certificate': certificatePem(signer),
    'dev.sigstore.cosign/bundle': JSON.stringify({
      SignedEntryTimestamp: entry.inclusionPromise?.signedEntryTimestamp,
      Payload: {
        body: entry.canonicalizedBody,
        integratedTime: Number(entry.integratedTime),
        logIndex: Number(entry.logIndex),
        logID: Buffer.from(entry.logId.keyId, 'base64').toString('hex'),
      },
    }),
  });

  it.each<[string, (signed: Buffer) => Buffer, Date | undefined, boolean]>([
    ['a log entry', (signed) => signed, undefined, true],
    ['an entry of another payload', () => Buffer.from('another'), undefined, false],
    ['an entry after the certificate', (signed) => signed, later(20), false],
  ])('under a tag: %s', async (name, body, at, counts) => {
    const attach = async (to: Sample) => {
      const signer = await sigstore.signer();
      const layer = simpleSigningLayer(signer, payload(to.image.digest));
      const signature = layer.annotations?.['dev.cosignproject.cosign/signature'] ?? '';
      const signed = hashedBody(signer, body(payload(to.image.digest)), signature);
      const entry = await sigstore.entry(signed, at);
      const annotations = { ...layer.annotations, ...annotationsOf(signer, entry) };
      await attachByTag(to, 'sig', [{ ...layer, annotations }]);
    };
    await compare({ name, attach, counts }, keyless(), BY_IDENTITY);
  });
});

describe('what cosign signs', () => {
  beforeAll(async () => {
    for (const version of VERSIONS) {
      const made = ['generate-key-pair', '--output-key-prefix', version];
      expect(await programs.run(version, made)).toMatchObject({ isAccepted: true });
    }
    await programs.write('predicate.json', '{}');
    const signing = 'application/vnd.dev.sigstore.signingconfig.v0.2+json';
    await programs.write('signing.json', JSON.stringify({ mediaType: signing }));
  });

  const ATTEST = ['attest', '--predicate', 'predicate.json', '--type', TYPE];
  const OLD = ['--tlog-upload=false'];
  const NEW = ['--signing-config', 'signing.json'];
  const OLD_OF_3 = [...OLD, '--new-bundle-format=false', '--use-signing-config=false'];

  it.each<[string, Version, string[], string | null]>([
    ['a tag of 2', 'cosign-2', ['sign', ...OLD], null],
    ['a referrer of 2', 'cosign-2', ['sign', ...OLD, '--registry-referrers-mode=oci-1-1'], null],
    ['an attestation of 2', 'cosign-2', [...ATTEST, ...OLD], TYPE],
    ['a tag of 3', 'cosign-3', ['sign', ...OLD_OF_3], null],
    ['a bundle of 3', 'cosign-3', ['sign', ...NEW], null],
    ['an attestation of 3', 'cosign-3', [...ATTEST, ...NEW], TYPE],
  ])('counts: %s', async (_, version, args, predicateType) => {
    const made = await sample();
    const by = ['--allow-http-registry', '--key', `${version}.key`, made.at];
    const { output } = await programs.run(version, [...args, ...by]);
    const pem = await programs.read(`${version}.pub`);
    const facts = await factsOf(made, [keyAuthority(pem)]);
    const told = `${output}\n${JSON.stringify(facts)}`;
    expect(
      facts.filter(({ verified }) => verified),
      told,
    ).toMatchObject([{ predicateType }]);
  });
});
