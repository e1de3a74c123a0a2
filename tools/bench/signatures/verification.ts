/**
 * What the verification of one signature costs, in CPU milliseconds, from the repository to the
 * fact. Real keys and certificates in memory; the one of the public Sigstore is from 2023.
 */
import { readFileSync } from 'node:fs';
import { keyAuthority, opened } from '../../../packages/attest/src/facts.fixture.ts';
import { readBundle } from '../../../packages/attest/src/formats/bundle.ts';
import {
  collectSignatures,
  type OpenedAuthority,
  verifySignatures,
} from '../../../packages/attest/src/index.ts';
import {
  dsseBody,
  ISSUER,
  keylessBundle,
  SUBJECT,
  sampleSigstore,
} from '../../../packages/attest/src/keyless.fixture.ts';
import {
  coseLayer,
  issueRoot,
  jwsLayer,
  NOTARY,
} from '../../../packages/attest/src/notary.fixture.ts';
import {
  attachReferrer,
  type LayerInput,
  sampleRepository,
} from '../../../packages/attest/src/repository.fixture.ts';
import { openRoot } from '../../../packages/attest/src/roots/root.ts';
import {
  bundleLayer,
  envelope,
  keyBundle,
  sampleKey,
  statement,
} from '../../../packages/attest/src/signing.fixture.ts';
import { authenticate } from '../../../packages/attest/src/verifying/authenticate.ts';

const WARM = 100;
const RUNS = 400;
const PROVENANCE = '../../../packages/attest/src/roots/provenance.sample.json';

/** CPU milliseconds of each. */
export async function timeVerifications() {
  const [jws, cose] = await timeNotary();
  return {
    ...{ ofPublicSigstore: await timeWorkflow(), keyless: await timeKeyless() },
    ...{ ofKey: await timeKey(), jws, cose },
  };
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  for (let run = 0; run < WARM; run += 1) await work();
  const before = process.cpuUsage();
  for (let run = 0; run < RUNS; run += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / RUNS;
}

async function timeWorkflow(): Promise<number> {
  const bytes = readFileSync(new URL(PROVENANCE, import.meta.url));
  const { dsseEnvelope } = JSON.parse(bytes.toString());
  const { subject } = JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString());
  const digest = `sha512:${subject[0].digest.sha512}` as const;
  return cpuOf(async () => authenticate(openRoot('sigstore'), await readBundle(bytes, digest)));
}

type Attached = Awaited<ReturnType<typeof sampleRepository>>;

async function timeImage(
  authority: OpenedAuthority,
  layer: (to: Attached) => LayerInput | Promise<LayerInput>,
  artifactType?: string,
): Promise<number> {
  const repository = await sampleRepository();
  await attachReferrer(repository, [await layer(repository)], artifactType);
  const { store, image } = repository;
  return cpuOf(async () => {
    const { signatures } = await collectSignatures(store, image.digest);
    let counted = 0;
    const verifying = { signatures, authorities: [authority], now: new Date() };
    for await (const { reason } of verifySignatures(verifying)) {
      if (reason) throw new Error(reason.code);
      counted += 1;
    }
    if (counted !== 1) throw new Error(`${counted} signatures were verified`);
  });
}

/** A bundle v0.3 with a certificate, an entry of a log and a timestamp. */
async function timeKeyless(): Promise<number> {
  const sigstore = await sampleSigstore();
  const signer = await sigstore.signer();
  const identity = { issuer: ISSUER, subject: SUBJECT };
  const authority = opened({ name: 'ci', kind: 'keyless', ...identity, root: sigstore.root() });
  return timeImage(authority, async ({ image }) => {
    const signed = envelope(signer, statement(image.digest));
    const [signature] = signed.signatures;
    const entries = [await sigstore.entry(dsseBody(signer, signed))];
    const timestamp = await sigstore.timestamp(Buffer.from(signature?.sig ?? '', 'base64'));
    return bundleLayer(keylessBundle(signer, signed, { entries, timestamps: [timestamp] }));
  });
}

function timeKey(): Promise<number> {
  const key = sampleKey();
  return timeImage(keyAuthority(key.pem), ({ image }) =>
    bundleLayer(keyBundle(envelope(key, statement(image.digest)))),
  );
}

async function timeNotary(): Promise<[number, number]> {
  const root = await issueRoot();
  const chain = [await root.issue({}), root];
  const named = { name: 'vendor', identities: ['*'] };
  const vendor = opened({ ...named, kind: 'certificate', store: root.pem });
  return [
    await timeImage(vendor, ({ image: target }) => jwsLayer({ chain, target }), NOTARY),
    await timeImage(vendor, ({ image: target }) => coseLayer({ chain, target }), NOTARY),
  ];
}
