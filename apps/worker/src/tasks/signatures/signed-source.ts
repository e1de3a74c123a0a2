/**
 * A repository of the built-in registry with its referrers: the registry program keeps no list of
 * them, and our index has what came over `/v2` or by a job.
 */
import { LOCAL_REGISTRY_ID, type StagingJob } from '@portcullis/domain';
import { type Descriptor, parseDigest, type Source } from '@portcullis/oci';
import type { Store } from '@portcullis/store';

export interface SignedPorts {
  open(repository: string): Source;
  images: Pick<Store['images'], 'referrers'>;
}

export type OpenSigned = (repository: string) => Source;

export function signedSources({ open, images }: SignedPorts): OpenSigned {
  return (repository) => {
    const stored = open(repository);
    return {
      resolve: (reference, options) => stored.resolve(reference, options),
      fetch: (descriptor, options) => stored.fetch(descriptor, options),
      async referrers(digest, options) {
        const indexed = await images.referrers(repository, digest);
        const listed = (await stored.referrers?.(digest, options)) ?? [];
        const all = [...indexed.map(toDescriptor), ...listed];
        return [...new Map(all.map((each) => [each.digest, each])).values()];
      },
    };
  };
}

export function isHere({ source }: Pick<StagingJob, 'source'>): boolean {
  return source.registryId === LOCAL_REGISTRY_ID;
}

type Indexed = Awaited<ReturnType<SignedPorts['images']['referrers']>>[number];

function toDescriptor({ digest, artifactType, ...rest }: Indexed): Descriptor {
  return { ...rest, digest: parseDigest(digest), ...(artifactType !== null && { artifactType }) };
}
