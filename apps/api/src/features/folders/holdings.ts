/** Whether a folder's first segment holds images, asked of the built-in registry itself. */
import { type AppError, isAppError, unavailable } from '@portcullis/errors';
import type { Repository } from '@portcullis/oci/remote';

/** Opens a repository of the built-in registry. */
export type OpenLocal = (repository: string) => Pick<Repository, 'catalog' | 'tags'>;

const PAGE = 100;

/**
 * The catalogue is in the order of paths, segment by segment, so that everything under `team` comes
 * right after `team` itself. It also lists repositories whose last image is gone: those hold
 * nothing.
 * @throws unavailable `REGISTRY_UNAVAILABLE`
 */
export async function holdsRepositories(segment: string, open: OpenLocal): Promise<boolean> {
  const prefix = `${segment}/`;
  let cursor: string | undefined = `/v2/_catalog?last=${segment}&n=${PAGE}`;
  while (cursor !== undefined) {
    const page = await answered(open(segment).catalog({ cursor }));
    const under = page.items.filter((repository) => repository.startsWith(prefix));
    for (const repository of under) if (await hasTags(repository, open)) return true;
    cursor = under.length === page.items.length ? page.next : undefined;
  }
  return false;
}

async function hasTags(repository: string, open: OpenLocal): Promise<boolean> {
  const { items } = await answered(open(repository).tags({ limit: 1 }));
  return items.length > 0;
}

interface Names {
  items: string[];
  next: string | undefined;
}

/**
 * What the registry doesn't know is empty; that it wouldn't answer us at all is no fault of the
 * caller's.
 */
async function answered(page: Promise<Names>): Promise<Names> {
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
