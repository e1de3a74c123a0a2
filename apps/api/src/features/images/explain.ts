/** What the pull gate would decide about an image for the caller, now. It writes no event. */
import { folderOf } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { DecidedPull, Gate } from '@portcullis/gate';
import { noImage, type RegistryScope, type Repositories } from './repositories.ts';

export interface ExplainPorts {
  repositories: Repositories;
  gate: Pick<Gate, 'decide'>;
  folders(): Promise<ReadonlySet<string>>;
}

const PATIENCE_MS = 20_000;

export function createExplain({ repositories, gate, folders }: ExplainPorts) {
  return async (
    scope: RegistryScope,
    { repository, reference }: { repository: string; reference: string },
  ): Promise<DecidedPull> => {
    const opened = await repositories.open(scope, repository, 'pull');
    const missing = noImage(repository, reference);
    // The pull gate is that of the built-in registry.
    if (!opened.local) throw notFound(...missing);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { digest } = await opened.ask(missing, (source) => source.resolve(reference, { signal }));
    const folder = folderOf(repository, await folders());
    return gate.decide({ image: { digest, repository, folder }, account: scope.principal });
  };
}
