/**
 * The api for `npm run bench gate` and `npm run bench signatures`, in a separate process: the same
 * images in a folder with `pull_gate` `off`, in one with `enforce`, and in one whose policy asks
 * for a signature as well. Prints one line of JSON once it listens.
 */
import {
  DEFAULT_POLICY,
  defaultPolicy,
  LOCAL_REGISTRY_ID,
  type ScanReport,
  type SignatureFact,
} from '@portcullis/domain';
import { buildIndex, pushImage, randomImage, type TestImage } from '@portcullis/testing';
import { startApi } from '../../apps/api/src/api.fixture.ts';

const FINDINGS = 300;
const PLATFORMS = 10;
const FOLDERS = ['off', 'enforce', 'signed'] as const;
const AUTHORITY = 'release';

/** How many more images there are. */
const firsts = Number(process.argv[2] ?? 0);

const api = await startApi({ RATE_LIMIT_ENABLED: 'false' });
const id = await api.account('bench');
for (const folder of FOLDERS) {
  const { folderId } = await api.grant(id, folder, { canPull: true });
  const pullGate = folder === 'off' ? 'off' : 'enforce';
  const policyId = folder === 'signed' ? await askForSignatures() : null;
  await api.store.folders.update(folderId, { pullGate, policyId });
}

/** The default policy, and a signature by one authority. */
async function askForSignatures(): Promise<string> {
  const document = { name: AUTHORITY, kind: 'key', keys: '' };
  await api.store.authorities.insertAuthority({ name: AUTHORITY, document, savedBy: 'root' });
  const { id: _, name, version: __, ...terms } = defaultPolicy(DEFAULT_POLICY);
  const asked = { images: '**', match: 'any_of' as const, authorities: [AUTHORITY] };
  const rules = { ...terms, signatures: [{ ...asked, attestation: null }] };
  const policy = await api.store.policies.insertPolicy({ name: 'signed', rules, savedBy: 'root' });
  return policy.id;
}

/** As a worker keeps what it read: one signature that counts, one that does not. */
async function sign(repository: string, digest: string): Promise<void> {
  const by = 'https://rekor.sigstore.dev';
  const signed: SignatureFact = {
    ...{ authority: AUTHORITY, authorityVersion: 1, predicateType: null, reason: null },
    signature: `sha256:${'5'.repeat(64)}`,
    verified: {
      ...{ signer: 'release@example.com', at: new Date(), timeSource: 'LOG', until: null },
      ...{ by, log: by },
    },
  };
  const other: SignatureFact = {
    ...signed,
    ...{ verified: null, reason: { code: 'KEY_DIFFERS', params: {} } },
  };
  const place = { digest, registry: LOCAL_REGISTRY_ID, repository };
  const read = { askedOf: { [AUTHORITY]: 1 }, unread: 0, isComplete: true, root: '2026-01-01' };
  await api.store.signatureFacts.record(place, { facts: [other, signed], ...read });
}

/** Findings that the default policy does not block. */
function report(): ScanReport {
  const vulnerabilities = Array.from({ length: FINDINGS }, (_, at) => ({
    ...{ id: `CVE-2026-${1000 + at}`, severity: 'MEDIUM' as const, title: null, cvssScore: null },
    ...{ cvssVector: null, cvssSource: null, primaryUrl: null, publishedAt: null },
    packages: [
      {
        ...{
          name: `package-${at}`,
          installedVersion: '1.0',
          fixedVersion: null,
          status: 'affected',
        },
        ...{ target: 'debian', path: null, purl: null, layerDigest: null, platform: null },
      },
    ],
  }));
  const scanner = { name: 'trivy', version: '0.74.0', dbUpdatedAt: new Date().toISOString() };
  return { coverage: 'full', notes: [], os: null, targets: [], vulnerabilities, scanner };
}

async function provide(name: string, image: TestImage): Promise<void> {
  for (const folder of FOLDERS) await pushImage(api.registry.url, `${folder}/${name}`, '1', image);
  for (const { digest } of image.children.length > 0 ? image.children : [image]) {
    await api.store.reports.record({ digest, report: report(), scannedAt: new Date() });
    await sign(`signed/${name}`, digest);
  }
}

const makeImage = () => randomImage({ layers: 3, bytes: 1_000, compression: 'gzip' });
await provide('image', await makeImage());
await provide('index', buildIndex(await Promise.all(Array.from({ length: PLATFORMS }, makeImage))));
for (let nth = 0; nth < firsts; nth += 1) await provide(`first-${nth}`, await makeImage());

process.stdout.write(
  `${JSON.stringify({ url: api.url, findings: FINDINGS, platforms: PLATFORMS })}\n`,
);
process.stdin.resume().once('end', () => void api.stop().then(() => process.exit(0)));
