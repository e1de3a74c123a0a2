/**
 * Kills random processes of an installation under load with `kill -9`, and checks the invariants
 * afterwards.
 */
import path from 'node:path';
import {
  debianImage,
  pace,
  pushImage,
  randomImage,
  serveVulnerabilityDb,
  startRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { until } from '../../support/product.ts';
import { type Installation, startInstallation, VICTIMS, type Victim } from './installation.ts';
import { answered, MIRROR, runLoad, type Source, type SourceImage } from './load.ts';
import { type Chance, seeded } from './seeded.ts';
import { faultsAfter } from './verify.ts';

export interface StormOptions {
  kills: number;
  seed: number;
  print: (text: string) => void;
}

export interface StormReport {
  faults: string[];
  kills: Partial<Record<Victim, number>>;
  accepted: number;
  pushed: number;
  /** Names of our programs that outlived the stop. */
  left: string[];
}

const CLIENTS = 4;
/** A product that is just killed answers later. */
const PROGRESS_MS = 20_000;
const PAUSE_MS: [number, number] = [200, 2_500];

export async function storm({ kills, seed, print }: StormOptions): Promise<StormReport> {
  await using upstream = await startRegistry();
  await using dir = await temporaryDir();
  const source: Source = { host: upstream.host, image: (order) => publish(upstream.url, order) };
  const installation = await startInstallation(path.join(dir.path, 'data'), {
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(upstream.url),
    // A job meets more faults here than an ordinary one in a year.
    STAGE_TRIES: '30',
    STAGE_BACKOFF_MAX_SECONDS: '5',
  });
  try {
    await prepare(installation, upstream.host);
    const ending = new AbortController();
    const running = runLoad({
      installation,
      source,
      seed,
      clients: CLIENTS,
      ending: ending.signal,
    });
    const killed = await killAtRandom(installation, kills, seeded(seed), print).finally(() =>
      ending.abort(),
    );
    print('no more kills; waiting for the orders to end');
    const load = await running;
    const faults = await faultsAfter(installation, load);
    await installation.stop();
    const left = await installation.product().running();
    return {
      faults,
      kills: killed,
      accepted: load.accepted.length,
      pushed: load.pushed.length,
      left,
    };
  } finally {
    await installation.stop();
  }
}

/** A scan takes seconds, so only a few of the images are scanned; no two are the same. */
async function publish(url: string, order: number): Promise<SourceImage> {
  const scanned = order % 5 === 1;
  const packages = [{ name: 'tzdata', version: `2024a-0+deb12u${order}` }];
  const image = scanned
    ? await debianImage({ packages })
    : await randomImage({ layers: 3, bytes: 900_000 });
  const repository = `${scanned ? 'clean' : 'plain'}/image-${order}`;
  await pushImage(url, repository, 'v1', image);
  return { repository, tag: 'v1', image, scanned };
}

async function prepare(installation: Installation, host: string): Promise<void> {
  const registry = { name: 'upstream', host, use_tls: false, owner: 'global' };
  await answered(
    installation,
    { method: 'POST', route: '/api/folders', body: { name: 'team' } },
    201,
  );
  const { body } = await answered(
    installation,
    { method: 'POST', route: '/api/registries', body: registry },
    201,
  );
  const mirror = { name: MIRROR, pull_gate: 'enforce', mirror: { registry_id: body.id } };
  await answered(installation, { method: 'POST', route: '/api/folders', body: mirror }, 201);
}

/** Each process as often as the others, give or take one. */
async function killAtRandom(
  installation: Installation,
  kills: number,
  chance: Chance,
  print: (text: string) => void,
): Promise<StormReport['kills']> {
  const counts: StormReport['kills'] = {};
  const all = Array.from({ length: kills }, (_, n) => VICTIMS[n % VICTIMS.length] ?? VICTIMS[0]);
  for (const [done, victim] of chance.shuffled(all).entries()) {
    do {
      await pace(chance.between(...PAUSE_MS));
      await progressMade(installation);
    } while (!(await installation.kill(victim)));
    counts[victim] = (counts[victim] ?? 0) + 1;
    print(`${done + 1}/${kills}: killed ${victim}`);
  }
  return counts;
}

/**
 * Between two kills the product answers at least once, if it can: otherwise a busy machine would
 * only restart it.
 */
async function progressMade(installation: Installation): Promise<void> {
  const before = installation.answers();
  await until(
    () => installation.answers() > before,
    () => '',
    PROGRESS_MS,
  ).catch(() => undefined);
}
