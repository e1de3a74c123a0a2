/** Checks in the built-in registry whether a folder's first segment holds images. */
import { type AppError, isAppError, unavailable } from '@portcullis/errors';
import type { Repository } from '@portcullis/oci/remote';

/** Opens a repository of the built-in registry. */
export type OpenLocal = (repository: string) => Pick<Repository, 'catalog' | 'tags'>;

const PAGE = 100;

/**
 * The catalogue is sorted by path segments, so that everything below `team` follows `team`. It also
 * lists repositories without images.
 * @throws unavailable `REGISTRY_UNAVAILABLE`
 */
export async function holdsRepositories(segment: string, open: OpenLocal): Promise<boolean> {
  const prefix = `${segment}/`;
  let cursor: string | undefined = `/v2/_catalog?last=${segment}&n=${PAGE}`;
  while (cursor !== undefined) {
    const page = await answer(open(segment).catalog({ cursor }));
    const under = page.items.filter((repository) => repository.startsWith(prefix));
    for (const repository of under) if (await hasTags(repository, open)) return true;
    cursor = under.length === page.items.length ? page.next : undefined;
  }
  return false;
}

async function hasTags(repository: string, open: OpenLocal): Promise<boolean> {
  const { items } = await answer(open(repository).tags({ limit: 1 }));
  return items.length > 0;
}

interface Names {
  items: string[];
  next: string | undefined;
}

/**
 * An unknown repository is empty; a registry that refuses our request is not the caller's fault.
 */
async function answer(page: Promise<Names>): Promise<Names> {
  try {
    return await page;
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.kind === 'not_found') return { items: [], next: undefined };
    throw registryUnavailable(error);
  }
}

function registryUnavailable(cause: AppError): AppError {
  return unavailable(
    'REGISTRY_UNAVAILABLE',
    'the built-in registry can not be asked what it holds',
    {
      cause,
      retryAfter: 5,
    },
  );
}
