/** What the pull gate decides about an image for the caller, now. */
import { notFound } from '@portcullis/errors';
import type { GateService } from '../gate/service.ts';
import { noImage, type RegistryScope, type Repositories } from './repositories.ts';

interface StandingPorts {
  repositories: Pick<Repositories, 'locate'>;
  explain: GateService['explain'];
}

export function createStanding({ repositories, explain }: StandingPorts) {
  return async (scope: RegistryScope, image: { repository: string; reference: string }) => {
    const { kind } = await repositories.locate(scope);
    // Other registries have no pull gate.
    if (kind !== 'local') throw notFound(...noImage(image.repository, image.reference));
    const { signal = new AbortController().signal } = scope;
    return explain(scope.principal, { door: 'pull', ...image }, signal);
  };
}
