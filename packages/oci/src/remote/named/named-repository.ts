/** Opens a repository; where the options have a name for the registry, its errors use that. */
import type { Content } from '../../copy/content.ts';
import { type Repository, type RepositoryOptions, remoteRepository } from '../repository.ts';
import { nameError, type ShownName, withShownName } from './shown-name.ts';

/** @throws invalid `NAME_INVALID`; an invalid host is reported on first use */
export function openRepository(options: RepositoryOptions): Repository {
  const { host, shownAs } = options;
  const repository = remoteRepository(options);
  return shownAs === undefined ? repository : namedRepository(repository, { host, shownAs });
}

/** The same repository, whose errors have the name in place of the host. */
function namedRepository(repository: Repository, shown: ShownName): Repository {
  const as = <T>(work: () => Promise<T>) => withShownName(shown, work);
  return {
    resolve: (...given) => as(() => repository.resolve(...given)),
    fetch: (...given) => as(async () => namedContent(await repository.fetch(...given), shown)),
    mover(descriptor) {
      const move = repository.mover?.(descriptor);
      return move && ((...given) => as(() => move(...given)));
    },
    exists: (...given) => as(() => repository.exists(...given)),
    push: (...given) => as(() => repository.push(...given)),
    mount: (...given) => as(() => repository.mount(...given)),
    tag: (...given) => as(() => repository.tag(...given)),
    referrers(digest, { incomplete, ...options } = {}) {
      const passOn =
        incomplete &&
        ((error: Parameters<typeof incomplete>[0]) => {
          nameError(error, shown);
          incomplete(error);
        });
      return as(() => repository.referrers(digest, { ...options, incomplete: passOn }));
    },
    manifest: (...given) => as(() => repository.manifest(...given)),
    remove: (...given) => as(() => repository.remove(...given)),
    removeTag: (...given) => as(() => repository.removeTag(...given)),
    tags: (...given) => as(() => repository.tags(...given)),
    allTags: (...given) => as(() => repository.allTags(...given)),
    catalog: (...given) => as(() => repository.catalog(...given)),
  };
}

function namedContent(content: Content, shown: ShownName): Content {
  return {
    offset: content.offset,
    cancel: () => content.cancel(),
    [Symbol.asyncIterator]() {
      const chunks = content[Symbol.asyncIterator]();
      return {
        next: () => withShownName(shown, () => chunks.next()),
        return: async () => {
          await chunks.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
