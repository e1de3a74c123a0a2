/** Lists waivers page by page. */
import type { Database } from '../database.ts';
import { run } from '../database.ts';
import type { WaiverWhereInput } from '../generated/models.ts';
import { filled } from '../grouped-rows.ts';
import type { Page, WaitingCount } from '../page.ts';
import { pageSize } from '../page.ts';
import type { StoredWaiver, WaiverFilter } from './records.ts';
import { matching } from './waiver-filter.ts';
import { type StateOrder, statesAfter, waiverOrders } from './waiver-order.ts';
import { toWaiver, WITH_NAMES } from './waiver-row.ts';

export async function listWaivers(
  db: Database,
  { limit, cursor, sort = '-created_at', ...filter }: WaiverFilter,
  now: Date,
): Promise<Page<StoredWaiver>> {
  const where = matching(filter, now);
  const size = pageSize(limit);
  const orders = waiverOrders(now);
  // One row more than requested shows whether there is a next page.
  const take = size + 1;
  const read = (condition: WaiverWhereInput, most: number) =>
    db.waiver.findMany({
      where: { AND: [where, condition] },
      include: WITH_NAMES,
      orderBy: orders.by(sort),
      take: most,
    });
  const [rows, total] = await run(() =>
    Promise.all([
      isByState(sort)
        ? filled(take, statesAfter(sort, cursor, now), read)
        : read(orders.after(sort, cursor), take),
      db.waiver.count({ where }),
    ]),
  );
  const items = rows.slice(0, size).map(toWaiver);
  const last = items.at(-1);
  const nextCursor = rows.length > size && last ? orders.cursorOf(sort, last) : null;
  return { items, total, nextCursor };
}

/** How many match, and how long they have been there. */
export async function waitingWaivers(
  db: Database,
  filter: Omit<WaiverFilter, 'limit' | 'cursor' | 'sort'>,
  now: Date,
): Promise<WaitingCount> {
  const where = matching(filter, now);
  const found = await run(() =>
    db.waiver.aggregate({ where, _count: true, _min: { createdAt: true } }),
  );
  return { count: found._count, oldestAt: found._min.createdAt };
}

const isByState = (sort: string): sort is StateOrder => sort === 'state' || sort === '-state';
