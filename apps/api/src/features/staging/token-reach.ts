/**
 * What a limited token reaches of the jobs and transfers of its account, by their ids. Their images
 * never change, so they are remembered: event streams learn of many changes, also of deletions.
 */
import { mayReadJobsOf, type Principal, type SourceImage } from '@portcullis/domain';
import type { Store } from '@portcullis/store';
import { LRUCache } from 'lru-cache';

export interface TokenReach {
  /** False for a job that does not exist, unless it was asked about before its deletion. */
  job(principal: Principal, id: string): Promise<boolean>;
  /** Whether it reaches all images of the transfer. */
  transfer(principal: Principal, id: string): Promise<boolean>;
}

export interface TokenReachPorts {
  jobs: Pick<Store['jobs'], 'find'>;
  transfers: Pick<Store['transfers'], 'order'>;
  folders(): Promise<ReadonlySet<string>>;
}

/** In images. */
const MOST_KNOWN = 20_000;

export function createTokenReach({ jobs, transfers, folders }: TokenReachPorts): TokenReach {
  const known = new LRUCache<string, SourceImage[]>({
    maxSize: MOST_KNOWN,
    sizeCalculation: (sources) => sources.length + 1,
  });

  async function sourceOfJob(id: string): Promise<SourceImage[] | null> {
    const job = await jobs.find(id);
    return job && [{ registryId: job.source.registryId, repository: job.image }];
  }

  async function sourcesOfTransfer(id: string): Promise<SourceImage[] | null> {
    const found = await transfers.order(id);
    if (!found) return null;
    const { source, entries } = found.order;
    const images = new Set(entries.map(({ image }) => image));
    return [...images].map((repository) => ({ registryId: source.registryId, repository }));
  }

  async function reaches(
    principal: Principal,
    id: string,
    read: (id: string) => Promise<SourceImage[] | null>,
  ): Promise<boolean> {
    if (principal.tokenActions === undefined) return true;
    const sources = known.get(id) ?? (await read(id));
    if (!sources) return false;
    known.set(id, sources);
    const names = await folders();
    return sources.every((source) => mayReadJobsOf(principal, source, names));
  }

  return {
    job: (principal, id) => reaches(principal, id, sourceOfJob),
    transfer: (principal, id) => reaches(principal, id, sourcesOfTransfer),
  };
}
