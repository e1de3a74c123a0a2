/** Searches everything at once, limited to what the lists would show the caller. */
import { foldersWith, type Principal } from '@portcullis/domain';
import type { Store } from '@portcullis/store';

export interface SearchPorts {
  search: Store['search'];
}

const MOST_OF_A_KIND = 5;

export type SearchService = ReturnType<typeof createSearchService>;

export function createSearchService({ search }: SearchPorts) {
  async function all({ id, isAdmin, grants }: Principal, q: string) {
    const text = q.toLowerCase();
    const limit = MOST_OF_A_KIND;
    const folders = isAdmin ? ('all' as const) : foldersWith(grants, 'pull');
    const [images, jobs, vulnerabilities, named, people] = await Promise.all([
      search.repositories({ text: withoutReference(text), folders, limit }),
      search.jobs({ text, ownerId: isAdmin ? null : id, limit }),
      search.vulnerabilities({ text, folders, limit }),
      search.folders({ text, folders, limit }),
      isAdmin ? search.accounts({ text, limit }) : [],
    ]);
    return { images, jobs, vulnerabilities, folders: named, people };
  }

  return { all };
}

/** `team/app:1.0` and `team/app@sha256:…` are searched in the repository `team/app`. */
function withoutReference(text: string): string {
  const [repository = ''] = text.split(/[:@]/);
  return repository === '' ? text : repository;
}
