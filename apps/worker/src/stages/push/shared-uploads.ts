/**
 * One upload per blob and registry among the jobs of this worker. Other jobs wait for a running
 * upload, and then mount the blob from the repository that received it.
 */
import {
  type Descriptor,
  type Digest,
  isManifestType,
  type Mounter,
  type PushOptions,
  type Target,
  unlessAborted,
  wrapTarget,
} from '@portcullis/oci';

export interface SharedUploads {
  shared(target: Target & Mounter, place: UploadScope): Target;
}

export interface UploadScope {
  /** Key of the registry: repositories under one key can mount from each other. */
  registry: string;
  repository: string;
  /** Whether the account may read that repository. */
  mayMountFrom(repository: string): Promise<boolean>;
  /** Called when the upload has ended. */
  arrived(digest: Digest): Promise<void>;
}

interface Flight {
  repository: string;
  /** Whether the upload succeeded. */
  landed: Promise<boolean>;
}

const MAX_LANDED = 1_000;
/** A job stops waiting for an upload that is slower than 1 MiB/s and uploads the blob itself. */
const WAIT_MS = 30_000;
const BYTES_A_MS = (1024 * 1024) / 1000;

export function createSharedUploads(waitMs = WAIT_MS): SharedUploads {
  const flights = new Map<string, Flight>();

  async function uploadFirst(
    key: string,
    { repository, arrived }: UploadScope,
    digest: Digest,
    send: () => Promise<void>,
  ) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    flights.set(key, { repository, landed: promise });
    try {
      await send();
      await arrived(digest);
      resolve(true);
      forgetOldest();
    } catch (error) {
      flights.delete(key);
      resolve(false);
      throw error;
    }
  }

  /** Keeps finished uploads for jobs that looked up blob locations before they ended. */
  function forgetOldest(): void {
    const [oldest] = flights.keys();
    if (flights.size > MAX_LANDED && oldest !== undefined) flights.delete(oldest);
  }

  function shareUploads(target: Target & Mounter, place: UploadScope): Target {
    /** The blob may have been deleted since, so the registry is asked, also for this repository. */
    async function had(blob: Descriptor, { repository }: Flight, { signal, onBytes }: PushOptions) {
      const own = repository === place.repository;
      if (!own && !(await place.mayMountFrom(repository))) return false;
      const there = own
        ? target.exists(blob, { signal })
        : target.mount(blob, repository, { signal });
      if (!(await there)) return false;
      onBytes?.(blob.size, own ? 'reused' : 'mounted');
      return true;
    }

    return wrapTarget(target, {
      async push(descriptor, open, options = {}) {
        const send = () => target.push(descriptor, open, options);
        if (isManifestType(descriptor.mediaType)) return send();
        const key = `${place.registry} ${descriptor.digest}`;
        for (let flight = flights.get(key); flight; flight = flights.get(key)) {
          const most = waitMs + descriptor.size / BYTES_A_MS;
          const landed = await unlessAborted(atMost(most, flight.landed), options.signal);
          if (landed === 'late') return send();
          // The first waiting job uploads next, unless the blob exists and can't be mounted.
          if (landed) return (await had(descriptor, flight, options)) ? undefined : send();
        }
        await uploadFirst(key, place, descriptor.digest, send);
      },
    });
  }

  return { shared: shareUploads };
}

async function atMost<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
