/**
 * `npm run bench -- trust`: what the verification of one signature costs, in CPU milliseconds, read
 * and verified. Real keys and certificates in memory; the one of a workflow is of the public
 * Sigstore, from 2023.
 */
import { readFileSync } from 'node:fs';
import { keyAuthority, opened } from '../../packages/attest/src/facts.fixture.ts';
import { readBundle } from '../../packages/attest/src/formats/bundle.ts';
import { collectSignatures, verifySignatures } from '../../packages/attest/src/index.ts';
import {
  coseLayer,
  issueRoot,
  jwsLayer,
  NOTARY,
} from '../../packages/attest/src/notary.fixture.ts';
import {
  attachReferrer,
  type LayerInput,
  sampleRepository,
} from '../../packages/attest/src/repository.fixture.ts';
import { openRoot } from '../../packages/attest/src/roots/root.ts';
import {
  bundleLayer,
  envelope,
  keyBundle,
  sampleKey,
  statement,
} from '../../packages/attest/src/signing.fixture.ts';
import { authenticate } from '../../packages/attest/src/verifying/authenticate.ts';
import { AIMS, marked, table } from './aims.ts';

const WARM = 100;
const RUNS = 400;

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  for (let run = 0; run < WARM; run += 1) await work();
  const before = process.cpuUsage();
  for (let run = 0; run < RUNS; run += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / RUNS;
}

const PROVENANCE = '../../packages/attest/src/roots/provenance.sample.json';

async function ofWorkflow(): Promise<number> {
  const bytes = readFileSync(new URL(PROVENANCE, import.meta.url));
  const { dsseEnvelope } = JSON.parse(bytes.toString());
  const { subject } = JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString());
  const digest = `sha512:${subject[0].digest.sha512}` as const;
  return cpuOf(async () => authenticate(openRoot('sigstore'), await readBundle(bytes, digest)));
}

type Attached = Awaited<ReturnType<typeof sampleRepository>>;

/** From the repository to the fact. */
async function ofImage(
  layer: (to: Attached) => LayerInput | Promise<LayerInput>,
  authority: ReturnType<typeof opened>,
  artifactType?: string,
): Promise<number> {
  const repository = await sampleRepository();
  await attachReferrer(repository, [await layer(repository)], artifactType);
  const { store, image } = repository;
  return cpuOf(async () => {
    const { signatures } = await collectSignatures(store, image.digest);
    const facts = verifySignatures({ signatures, authorities: [authority], now: new Date() });
    for await (const { reason } of facts) if (reason) throw new Error(reason.code);
  });
}

const key = sampleKey();
const root = await issueRoot();
const leaf = await root.issue({});
const vendor = opened({ name: 'vendor', kind: 'certificate', store: root.pem, identities: ['*'] });
const chain = [leaf, root];

const workflow = await ofWorkflow();
const bundle = await ofImage(
  ({ image }) => bundleLayer(keyBundle(envelope(key, statement(image.digest)))),
  keyAuthority(key.pem),
);
const jws = await ofImage(({ image: target }) => jwsLayer({ chain, target }), vendor, NOTARY);
const cose = await ofImage(({ image: target }) => coseLayer({ chain, target }), vendor, NOTARY);

const ms = (value: number) => `${value.toFixed(2)} ms of CPU`;
process.stdout.write(
  table(
    ['one signature', 'read and verified'],
    [
      ['of a workflow, of the public Sigstore', marked(AIMS.signature, workflow)],
      ['of a key, in a bundle, with its repository', ms(bundle)],
      ['of a certificate, in JWS, with its repository', ms(jws)],
      ['of a certificate, in COSE, with its repository', ms(cose)],
    ],
  ),
);
