/**
 * Refuses a pull from the built-in registry at the request, where the pull gate of its folder does.
 * The worker decides again, about the digest that it reads.
 */
import { LOCAL_REGISTRY_ID, type Principal } from '@portcullis/domain';
import type { CopyGate, ExplainedDecision } from '@portcullis/gate';
import type { Logger } from '@portcullis/runtime';
import type { ResolvedSource } from './source.ts';

export interface SourceGatePorts {
  copyGate: Pick<CopyGate, 'isEnforced' | 'assertLeaves'>;
  /** @throws where the registry has no such image, or does not answer */
  resolve(repository: string, reference: string): Promise<string>;
  log: Pick<Logger, 'debug'>;
}

/**
 * @returns the decision where a blocked image is served all the same
 * @throws forbidden
 */
export type AssertSource = (
  principal: Principal,
  image: Pick<ResolvedSource, 'source' | 'image'> & { tag: string },
) => Promise<ExplainedDecision | null>;

export function createSourceGate({ copyGate, resolve, log }: SourceGatePorts): AssertSource {
  return async (principal, { source, image: repository, tag }) => {
    if (source.registryId !== LOCAL_REGISTRY_ID || !(await copyGate.isEnforced(repository)))
      return null;
    const digest = await resolve(repository, tag).catch((err: unknown) => {
      // The job reports what the registry answers.
      log.debug({ err, repository }, 'the source of a job is decided when it is read');
      return null;
    });
    return digest === null ? null : copyGate.assertLeaves(principal, { repository, digest });
  };
}
