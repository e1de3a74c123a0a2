/** The source registry of the demonstration: images, vulnerability database and threat feeds. */
import {
  acquireRegistry,
  cacheDir,
  freePort,
  recordProcess,
  type Service,
  startRegistryServer,
} from '@portcullis/embedded';
import {
  buildArtifact,
  epssFile,
  kevFile,
  pushImage,
  serveJavaDb,
  serveVulnerabilityDb,
} from '@portcullis/testing';
import type { DemoDirs } from './dirs.ts';
import { ADVISORIES, sampleDatabase } from './sample/advisories.ts';
import type { SampleImage } from './sample/images.ts';

export interface SampleSource {
  /** `127.0.0.1:41021` */
  host: string;
  url: string;
  port: number;
  artifacts: SampleArtifacts;
  service: Service;
}

interface SampleArtifacts {
  database: string;
  javaIndex: string;
  kev: string;
  epss: string;
}

export interface SourceOptions {
  dirs: Pick<DemoDirs, 'source' | 'running'>;
  env: NodeJS.ProcessEnv;
  /** Of the run before. */
  port: number | undefined;
  log: (text: string) => void;
}

export async function startSource({
  dirs,
  env,
  port: wanted,
  log,
}: SourceOptions): Promise<SampleSource> {
  const binary = await acquireRegistry({
    cacheDir: cacheDir(env),
    env,
    log,
    releases: env.PROGRAM_RELEASES_URL === 'off' ? null : env.PROGRAM_RELEASES_URL,
  });
  const port = await freePort(wanted);
  const { service, url } = await startRegistryServer({
    binary,
    dir: dirs.source,
    listen: { port },
    secret: 'of the sample registry, which has no account',
    env,
    hooks: { onSpawn: (spawned) => recordProcess(dirs.running, spawned) },
  });
  const host = `127.0.0.1:${port}`;
  return { host, url, port, service, artifacts: await publishArtifacts(url) };
}

/** With the present date, so that nothing is too old on a later day. */
async function publishArtifacts(url: string): Promise<SampleArtifacts> {
  const today = new Date().toISOString();
  const exploited = ADVISORIES.filter(({ isExploited }) => isExploited).map(({ id }) => id);
  const scores = ADVISORIES.map(({ id, epss }) => [id, epss] as const);
  const [database, javaIndex, kev, epss] = await Promise.all([
    serveVulnerabilityDb(url, {
      repository: 'sample-data/trivy-db',
      content: sampleDatabase(),
    }),
    serveJavaDb(url, { repository: 'sample-data/trivy-java-db' }),
    pushFeed(url, 'kev', kevFile(exploited, { released: today, version: 'sample-data' })),
    pushFeed(url, 'epss', epssFile(scores, { date: today.slice(0, 10), model: 'sample-data' })),
  ]);
  return { database, javaIndex, kev, epss };
}

async function pushFeed(url: string, name: string, bytes: Uint8Array): Promise<string> {
  const layers = [{ mediaType: 'application/octet-stream', bytes }];
  await pushImage(url, `sample-data/${name}`, '1', buildArtifact({ layers }));
  return `oci://${new URL(url).host}/sample-data/${name}:1`;
}

export async function pushSamples(url: string, images: readonly SampleImage[]): Promise<void> {
  for (const { repository, tag, image } of images) await pushImage(url, repository, tag, image);
}
