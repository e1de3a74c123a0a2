/**
 * What many signatures at one digest cost: pushed into a real registry, listed by a real
 * PostgreSQL, and read as a worker reads them.
 */
import { type Descriptor, type Digest, forEachAtMost } from '@portcullis/oci';
import { createTransport } from '@portcullis/oci/remote';
import { sealer } from '@portcullis/runtime';
import { type ManifestFacts, openStore } from '@portcullis/store';
import { createDatabase, startRegistry } from '@portcullis/testing';
import { readSignatures } from '../../../apps/worker/src/tasks/signatures/read-signatures.ts';
import { keyAuthority } from '../../../packages/attest/src/facts.fixture.ts';
import {
  attachByTag,
  attachReferrer,
  type LayerInput,
  withImage,
} from '../../../packages/attest/src/repository.fixture.ts';
import {
  BUNDLE,
  bundleLayer,
  envelope,
  keyBundle,
  sampleKey,
  statement,
} from '../../../packages/attest/src/signing.fixture.ts';
import { localRepositories } from '../../../packages/registry-access/src/registry-access.ts';

export interface ReadMany {
  /** Signatures that there are. */
  there: number;
  read: number;
  unread: number;
  /** To the registry. */
  requests: number;
  seconds: number;
  cpuSeconds: number;
}

const key = sampleKey();
const authorities = [{ name: 'release', version: 1, opened: keyAuthority(key.pem) }];

export async function openMany() {
  const [database, registry] = await Promise.all([
    createDatabase({ asDelivered: true }),
    startRegistry(),
  ]);
  const store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  const { host } = new URL(registry.url);
  let requests = 0;
  const transport = createTransport({
    trace() {
      requests += 1;
      return null;
    },
  });
  const open = localRepositories({ host, transport, tls: 'off' }, store.referrers);

  async function read(repository: string, digest: Digest, there: number): Promise<ReadMany> {
    const before = requests;
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const { facts, unread } = await readSignatures({
      ...{ source: open(repository), digests: [digest], asked: authorities, now: new Date() },
      signal: AbortSignal.timeout(600_000),
    });
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const verified = facts.filter((fact) => fact.verified).length;
    if (verified !== facts.length) throw new Error(`${verified} of ${facts.length} verified`);
    const cost = { requests: requests - before, seconds, cpuSeconds: (user + system) / 1e6 };
    return { there, read: facts.length, unread, ...cost };
  }

  return {
    async ofReferrers(there: number): Promise<ReadMany> {
      const repository = `team/referrers-${there}`;
      const to = await withImage(open(repository), repository);
      const numbers = Array.from({ length: there }, (_, nth) => nth);
      await forEachAtMost(8, numbers, async (nth) => {
        const found = await attachReferrer(to, [signature(to.image.digest, nth)]);
        const manifests = [referrerOf(found, to.image.digest)];
        await store.images.record({ repository, tag: null, digest: found.digest, manifests });
      });
      return read(repository, to.image.digest, there);
    },
    async ofTag(there: number): Promise<ReadMany> {
      const repository = `team/tag-${there}`;
      const to = await withImage(open(repository), repository);
      const layers = Array.from({ length: there }, (_, nth) => signature(to.image.digest, nth));
      await attachByTag(to, 'att', layers);
      return read(repository, to.image.digest, there);
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await Promise.all([database.stop(), registry.stop()]);
    },
  };
}

/** Each is another one, and counts. */
function signature(digest: Digest, nth: number): LayerInput {
  return bundleLayer(keyBundle(envelope(key, statement(digest, { predicate: { nth } }))));
}

function referrerOf({ digest, mediaType, size }: Descriptor, subject: Digest): ManifestFacts {
  return {
    ...{ digest, mediaType, size, subject, artifactType: BUNDLE },
    ...{ contents: [], platforms: [] },
  };
}
