/** Reads the audit log: what is archived, and what is still in the stream. */
import type { AuditFilter as AskedFilter } from '@portcullis/contract';
import { isBypassEvent, matchesSearch, searchOf } from '@portcullis/domain';
import type { AuditEvent, Backlog, BacklogOptions } from '@portcullis/events';
import {
  type AuditFilter,
  type AuditPosition,
  decodeCursor,
  encodeCursor,
  type Store,
} from '@portcullis/store';
import { compare, type Merged, type MergePart, merge, positionOf } from './merge.ts';

export interface AuditServicePorts {
  archive: Pick<Store['audit'], 'list'>;
  /**
   * Events of the stream that are not archived yet, from moments ago or from an outage of the
   * notifier.
   */
  backlog(options: Omit<BacklogOptions, 'group'>): Promise<Backlog>;
}

interface MergedAuditPage {
  items: AuditEvent[];
  nextCursor: string | null;
}

const EXPORTED_AT_ONCE = 500;

export function createAuditService({ archive, backlog }: AuditServicePorts) {
  /**
   * Reads the stream first: an event that is archived meanwhile is then seen twice, never zero
   * times.
   */
  async function page(
    filter: AuditFilter,
    after: AuditPosition | null,
    limit: number,
  ): Promise<Merged> {
    const wanted = matcher(filter, after);
    const fresh = streamPart(await backlog({ wanted, before: after?.at.getTime() ?? null }));
    const archived = await archive.list(filter, { after, limit });
    return merge([fresh, archived], limit);
  }

  return {
    async list(
      query: AskedFilter,
      { limit, cursor }: { limit: number; cursor?: string | undefined },
    ) {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      const { items, next } = await page(filterOf(query), after, limit);
      return {
        items,
        nextCursor: next && encodeCursor(next.at, next.id),
      } satisfies MergedAuditPage;
    },

    /** In batches, each queried on demand. */
    async *all(query: AskedFilter): AsyncGenerator<AuditEvent[]> {
      const filter = filterOf(query);
      let after: AuditPosition | null = null;
      do {
        const { items, next }: Merged = await page(filter, after, EXPORTED_AT_ONCE);
        yield items;
        after = next;
      } while (after);
    },
  };
}
export type AuditService = ReturnType<typeof createAuditService>;

function filterOf({ since, until, bypassed, ...rest }: AskedFilter): AuditFilter {
  return {
    ...rest,
    ...(bypassed && { bypassed: true }),
    ...(since && { since: new Date(since) }),
    ...(until && { until: new Date(until) }),
  };
}

/** The archive's SQL filter for an event in memory. */
function matcher(filter: AuditFilter, after: AuditPosition | null): (event: AuditEvent) => boolean {
  const { actor, event: kind, outcome, bypassed, since, until, q } = filter;
  const search = q === undefined ? undefined : searchOf(q);
  return (event) => {
    const at = new Date(event.at);
    return (
      (actor === undefined || event.actor.name === actor) &&
      (kind === undefined || event.event === kind) &&
      (outcome === undefined || event.outcome === outcome) &&
      (!bypassed || isBypassEvent(event)) &&
      (!since || at >= since) &&
      (!until || at < until) &&
      (after === null || compare(positionOf(event), after) < 0) &&
      (search === undefined || (search !== null && matchesSearch(event, search)))
    );
  };
}

/** Sorts after every id of the same time. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function streamPart({ events, reached }: Backlog): MergePart {
  return {
    items: events,
    reached: reached === null ? null : { at: new Date(reached), id: LAST_ID },
  };
}
