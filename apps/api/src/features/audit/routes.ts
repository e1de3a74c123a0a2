/** Serves the audit log as pages, and as a stream of lines. */
import { once } from 'node:events';
import { contract } from '@portcullis/contract';
import type { AuditEvent } from '@portcullis/events';
import type { Response } from 'express';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { AuditService } from './service.ts';

export function auditRoutes(service: AuditService): Route[] {
  return implement(contract.audit, {
    async listAudit({ query: { limit, cursor, ...filter } }, call) {
      const { items, nextCursor } = await service.list(filter, { limit, cursor });
      announcePage(call, { nextCursor, total: null });
      return items;
    },

    async exportAudit({ query }, call) {
      call.note({ filter: query });
      await writeLines(call, service.all(query));
      return undefined;
    },
  });
}

/** Applies backpressure from slow readers; a client that leaves ends the search. */
async function writeLines(
  { response, signal }: Pick<ApiCall, 'response' | 'signal'>,
  pieces: AsyncIterable<AuditEvent[]>,
): Promise<void> {
  for await (const events of pieces) {
    if (signal.aborted) return;
    open(response);
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    if (!response.write(text)) await once(response, 'drain', { signal }).catch(() => {});
  }
  response.end();
}

/** The response starts with the first batch: before it, a fault can still be reported. */
function open(response: Response): void {
  if (response.headersSent) return;
  response.writeHead(200, {
    'Content-Type': 'application/jsonl; charset=utf-8',
    'Content-Disposition': `attachment; filename="audit-${new Date().toISOString().slice(0, 10)}.jsonl"`,
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
}
