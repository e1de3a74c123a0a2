/** What this installation states about an image of the built-in registry. */
import { PREDICATE_TYPES } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { ImageStatement, Store } from '@portcullis/store';
import { patienceOf } from './read-image.ts';
import { noImage, type RegistryScope, type Repositories } from './repositories.ts';

export interface ListStatementsPorts {
  repositories: Pick<Repositories, 'open'>;
  statements: Pick<Store['statements'], 'ofImage'>;
}

export interface StatementsOfImage {
  digest: string;
  statements: (ImageStatement & { predicateType: string })[];
}

export function createListStatements({ repositories, statements }: ListStatementsPorts) {
  /** @throws not_found `IMAGE_UNKNOWN`, also for an image of another registry */
  return async function listStatements(
    scope: RegistryScope,
    { repository, reference }: { repository: string; reference: string },
  ): Promise<StatementsOfImage> {
    const opened = await repositories.open(scope, repository, 'pull');
    const missing = noImage(repository, reference);
    // About other registries nothing is stated.
    if (!opened.local) throw notFound(...missing);
    const signal = patienceOf(scope);
    const { digest } = await opened.ask(missing, (there) => there.resolve(reference, { signal }));
    const found = await statements.ofImage({ repository: opened.name, digest });
    return {
      digest,
      statements: found.map((each) => ({ ...each, predicateType: PREDICATE_TYPES[each.kind] })),
    };
  };
}
