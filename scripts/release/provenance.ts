/**
 * Writes the provenance of an image, what it was built from and by whom: an in-toto statement with
 * SLSA's predicate. https://slsa.dev/spec/v1.0/provenance
 */
import type { Digest } from '@portcullis/oci';
import type { Bases } from '../bases.ts';

export interface Build {
  /** `ghcr.io/portcullis-gate/portcullis-api` */
  name: string;
  digest: Digest;
  dockerfile: string;
  version: string;
  commit: string;
  /** Repository URL from package.json. */
  source: string;
  bases: Bases;
  /** The CI run that built it, or a person's machine. */
  builder: { id: string; invocation: string };
}

export const IN_TOTO = 'application/vnd.in-toto+json';

export function provenanceOf(build: Build): object {
  const { name, digest, dockerfile, version, commit, source, bases, builder } = build;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: hexOf(digest) }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${source}/blob/main/docs/release.md`,
        externalParameters: { source: `git+${source}@refs/tags/v${version}`, dockerfile, version },
        resolvedDependencies: [
          { uri: `git+${source}@refs/tags/v${version}`, digest: { gitCommit: commit } },
          ...Object.values(bases).flatMap((base) =>
            base.digest === null
              ? []
              : [{ uri: `docker://${base.image}`, digest: hexOf(base.digest) }],
          ),
        ],
      },
      runDetails: { builder: { id: builder.id }, metadata: { invocationId: builder.invocation } },
    },
  };
}

function hexOf(digest: Digest): Record<string, string> {
  const colon = digest.indexOf(':');
  return { [digest.slice(0, colon)]: digest.slice(colon + 1) };
}
