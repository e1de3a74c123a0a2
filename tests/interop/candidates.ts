/** The registries that `npm run interop` tries the product with, and those that it can't start. */
import { readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@portcullis/embedded';
import {
  pinnedVersion,
  startRegistry,
  startRegistryProgram,
  type TestServer,
} from '@portcullis/testing';

interface Running {
  url: string;
  version: string;
  stop(): Promise<void>;
}

export interface Candidate {
  name: string;
  /** Where the tests get it from. */
  origin: string;
  /** What it does differently, and what follows for the product. */
  notes: readonly string[];
  start(): Promise<Running>;
}

export const CANDIDATES: readonly Candidate[] = [
  {
    name: 'distribution 2.8',
    origin: 'Debian package `docker-registry`',
    notes: [
      'lists all tags on one page',
      'deletes by digest only, so the client moves a tag before it deletes it',
      'has no referrers API',
    ],
    start: () => distribution({ isOld: true }),
  },
  {
    name: 'distribution 3.1',
    origin: 'Go module; the one that Portcullis embeds',
    notes: ['has no referrers API'],
    start: () => distribution({}),
  },
  {
    name: 'olareg',
    origin: 'Go module, storage in a directory',
    notes: [
      'lists no referrers as `"manifests": null`',
      'may leave out of the list one of two referrers of an image that are pushed at the same time, although it has both',
    ],
    async start() {
      const server = await startRegistryProgram({
        module: 'olareg',
        args: ({ dir, port }) => [
          ...['serve', '--addr', '127.0.0.1', '--port', String(port), '--dir', dir.path],
          '--api-delete',
        ],
      });
      return { ...server, version: await pinnedVersion('olareg', 'github.com/olareg/olareg') };
    },
  },
  {
    name: 'go-containerregistry',
    origin: 'Go module (`cmd/registry`, the same as `crane registry serve`), storage in memory',
    notes: [
      'answers 416 to a range without an end (`bytes=10-`), so the client asks again with one',
      'sends pages of tags without a link to the next one, so the client asks for what comes after the last tag',
      'mounts nothing',
      'has no referrers API',
    ],
    async start() {
      const server = await startRegistryProgram({
        module: 'ggcr-registry',
        args: ({ port }) => ['-port', String(port)],
      });
      const version = await pinnedVersion(
        'ggcr-registry',
        'github.com/google/go-containerregistry',
      );
      return { ...server, version };
    },
  },
  {
    name: 'zot',
    origin: 'Go module, storage in a directory; of November 2022',
    notes: [
      'writes the link to the next page without angle brackets (RFC 8288 § 3)',
      'has a referrers API without `OCI-Subject`, so the client also keeps the list under a tag',
      'accepts an index whose images are missing',
    ],
    async start() {
      const server = await startRegistryProgram({
        module: 'zot',
        args: async ({ dir, port }) => ['serve', await zotConfiguration(dir.path, port)],
      });
      return { ...server, version: await pinnedVersion('zot', 'zotregistry.io/zot') };
    },
  },
];

async function zotConfiguration(dir: string, port: number): Promise<string> {
  const file = join(dir, 'zot.json');
  const configuration = {
    distSpecVersion: '1.0.1',
    storage: { rootDirectory: join(dir, 'storage'), gc: false },
    http: { address: '127.0.0.1', port: String(port) },
    log: { level: 'error' },
  };
  await writeFile(file, JSON.stringify(configuration));
  return file;
}

async function distribution(options: { isOld?: boolean }): Promise<Running> {
  const server = await startRegistry(options);
  return { ...server, version: await statedVersion(server) };
}

/** As the running program states it: `… v3.1.2`, `… 2.8.2+ds1`. */
async function statedVersion({ pid }: TestServer): Promise<string> {
  const stated = await run(await readlink(`/proc/${pid}/exe`), ['--version']);
  return /\bv?(\d+\.\d+\.\d+)/.exec(stated)?.[1] ?? 'unknown';
}

const NOT_SERVED = 'could not be fetched: the Go module proxy used here does not serve its module';

export const NOT_TRIED: readonly { name: string; reason: string }[] = [
  { name: 'zot 2', reason: `${NOT_SERVED} \`zotregistry.dev/zot/v2\`` },
  {
    name: "GitLab's container registry",
    reason: `${NOT_SERVED} \`gitlab.com/gitlab-org/container-registry\``,
  },
  { name: 'Harbor', reason: `${NOT_SERVED} \`github.com/goharbor/harbor\`` },
  { name: 'Forgejo', reason: `${NOT_SERVED} \`forgejo.org\`` },
  {
    name: 'Gitea',
    reason: 'not set up yet: besides a long build it needs a database, Git and an account',
  },
  {
    name: 'Pulp',
    reason:
      'not set up yet: besides its packages from PyPI it needs PostgreSQL, Redis and three processes',
  },
];
