/** The conditions of a list of transfers `t` with their owners `u`. */
import { OPEN_STATUSES, type TransferStatus } from '@portcullis/domain';
import { keyOf } from '../accounts/users.ts';
import { isId, Prisma } from '../database.ts';
import { IS_BLOCKED } from '../jobs/list/job-list.ts';
import { likePattern } from '../like.ts';
import type { TransferFilter } from './records.ts';

const hasJob = (condition: Prisma.Sql) => Prisma.sql`
  EXISTS (SELECT FROM staging_jobs WHERE transfer_id = t.id AND ${condition})`;
const hasSelection = (state: string) => Prisma.sql`
  EXISTS (SELECT FROM transfer_selections s WHERE s.transfer_id = t.id AND s.state = ${state})`;
const STATUS_IS = (status: string) => Prisma.sql`status = ${status}`;

/** The domain's `transferStatus`. */
export const STATUS = Prisma.sql`(CASE
  WHEN ${hasJob(Prisma.sql`status IN (${Prisma.join([...OPEN_STATUSES])})`)} OR ${hasSelection('queued')}
    THEN 'running'
  WHEN ${hasJob(STATUS_IS('failed'))} OR ${hasSelection('failed')}
    THEN CASE WHEN ${hasJob(STATUS_IS('pushed'))} OR ${hasSelection('done')} THEN 'partly_failed' ELSE 'failed' END
  WHEN ${hasJob(STATUS_IS('cancelled'))} OR ${hasSelection('cancelled')} THEN 'cancelled'
  ELSE 'done' END)`;

/** Something failed, and only because the gate stopped it. */
export const ONLY_BLOCKED = Prisma.sql`(
  ${hasJob(Prisma.sql`status = 'failed' AND ${IS_BLOCKED}`)}
  AND NOT ${hasJob(Prisma.sql`status = 'failed' AND ${IS_BLOCKED} IS NOT TRUE`)}
  AND NOT ${hasSelection('failed')})`;

export function transferConditions(filter: TransferFilter): Prisma.Sql {
  const { ownerId, ownerName, status, blocked, since, until, q } = filter;
  if (ownerId !== undefined && !isId(ownerId)) return Prisma.sql`false`;
  const conditions = [
    ...(ownerId === undefined ? [] : [Prisma.sql`t.owner_id = ${ownerId}::uuid`]),
    ...(ownerName === undefined ? [] : [Prisma.sql`u.username_key = ${keyOf(ownerName)}`]),
    ...(status === undefined ? [] : [statusIn(status)]),
    ...(blocked === undefined ? [] : [blocked ? ONLY_BLOCKED : Prisma.sql`NOT ${ONLY_BLOCKED}`]),
    ...(since === undefined ? [] : [Prisma.sql`t.created_at >= ${since}`]),
    ...(until === undefined ? [] : [Prisma.sql`t.created_at < ${until}`]),
    ...(q ? [mentions(q)] : []),
  ];
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' AND ');
}

function statusIn(statuses: readonly TransferStatus[]): Prisma.Sql {
  return statuses.length === 0
    ? Prisma.sql`false`
    : Prisma.sql`${STATUS} IN (${Prisma.join([...statuses])})`;
}

/** Repositories and tags at both ends, the hosts and names of the registries, and the schedule. */
function mentions(text: string): Prisma.Sql {
  const pattern = likePattern(text);
  const end = (name: string) => Prisma.sql`t."order" -> ${name}::text`;
  return Prisma.sql`(
    ${end('source')} ->> 'host' ILIKE ${pattern} OR ${end('destination')} ->> 'host' ILIKE ${pattern}
    OR EXISTS (SELECT FROM registries r
                WHERE r.name ILIKE ${pattern}
                  AND r.id::text IN (${end('source')} ->> 'registryId', ${end('destination')} ->> 'registryId'))
    OR EXISTS (SELECT FROM transfer_schedules s
                WHERE s.id = t.schedule_id AND s.name ILIKE ${pattern})
    OR EXISTS (SELECT FROM jsonb_array_elements(t."order" -> 'entries') entry
                WHERE entry ->> 'image' ILIKE ${pattern} OR entry ->> 'repository' ILIKE ${pattern}
                   OR entry -> 'tags' ->> 'tag' ILIKE ${pattern}))`;
}
