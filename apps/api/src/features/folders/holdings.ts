/** Whether a folder's first segment holds images, asked of the built-in registry itself. */
import type { ReadCatalog } from '../../v2/catalog.ts';

export interface HoldingPorts {
  catalog: ReadCatalog;
  /** The tags of a repository; none where it was emptied. */
  tags(repository: string): Promise<string[]>;
}

const PAGE = 100;

/**
 * The catalogue is in the order of paths, segment by segment, so that everything under `team` comes right after
 * `team` itself. It also lists repositories whose last image is gone: those hold nothing.
 */
export async function holdsRepositories(segment: string, { catalog, tags }: HoldingPorts): Promise<boolean> {
  const prefix = `${segment}/`;
  for (let last = segment; ; ) {
    const page = await catalog(last, PAGE);
    const under = page.filter((repository) => repository.startsWith(prefix));
    for (const repository of under) if ((await tags(repository)).length > 0) return true;
    const next = page.at(-1);
    if (next === undefined || next === last || under.length < page.length || page.length < PAGE) return false;
    last = next;
  }
}
