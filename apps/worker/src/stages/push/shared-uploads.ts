/**
 * Uploads of this worker to registries that mount: a blob that one job is sending, or has just sent, isn't sent by the
 * others: they wait for it, and have it mounted from where it arrived.
 */
import {
  type Descriptor,
  type Digest,
  isManifestType,
  type Mounter,
  type PushOptions,
  type Target,
  unlessAborted,
} from '@portcullis/oci';

export interface SharedUploads {
  shared(target: Target & Mounter, place: Place): Target;
}

export interface Place {
  /** All whose mounts reach each other. */
  registry: string;
  repository: string;
  /** Whether the account may read there. */
  mayMountFrom(repository: string): Promise<boolean>;
  /** The blob is there now. */
  arrived(digest: Digest): Promise<void>;
}

interface Flight {
  repository: string;
  /** Whether it arrived. */
  landed: Promise<boolean>;
}

const MAX_LANDED = 1_000;
/** Who waits for a source that is slower than 1 MiB a second asks their own. */
const PATIENCE_MS = 30_000;
const BYTES_A_MS = (1024 * 1024) / 1000;

export function createSharedUploads(patienceMs = PATIENCE_MS): SharedUploads {
  const flights = new Map<string, Flight>();

  async function lead(
    key: string,
    { repository, arrived }: Place,
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

  /** Who looked for it before it arrived asks here afterwards; later ones find it among the homes of the blob. */
  function forgetOldest(): void {
    const [oldest] = flights.keys();
    if (flights.size > MAX_LANDED && oldest !== undefined) flights.delete(oldest);
  }

  function shared(target: Target & Mounter, place: Place): Target {
    /** What arrived may have been removed since: the registry has the word, also of this very repository. */
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

    return {
      resolve: (reference, options) => target.resolve(reference, options),
      fetch: (descriptor, options) => target.fetch(descriptor, options),
      exists: (descriptor, options) => target.exists(descriptor, options),
      mount: (descriptor, from, options) => target.mount(descriptor, from, options),
      tag: (descriptor, tag, options) => target.tag(descriptor, tag, options),
      async push(descriptor, open, options = {}) {
        const send = () => target.push(descriptor, open, options);
        if (isManifestType(descriptor.mediaType)) return send();
        const key = `${place.registry} ${descriptor.digest}`;
        for (let flight = flights.get(key); flight; flight = flights.get(key)) {
          const most = patienceMs + descriptor.size / BYTES_A_MS;
          const landed = await unlessAborted(atMost(most, flight.landed), options.signal);
          if (landed === 'late') return send();
          // The next in line is the next to send it, unless it is there and can't be had from there.
          if (landed) return (await had(descriptor, flight, options)) ? undefined : send();
        }
        await lead(key, place, descriptor.digest, send);
      },
    };
  }

  return { shared };
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
