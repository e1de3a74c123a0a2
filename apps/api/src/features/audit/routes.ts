/** Serves the audit log as pages, and as a stream of lines. */
import { contract } from '@portcullis/contract';
import type { AuditEvent } from '@portcullis/events';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import { streamText } from '../../http/stream-text.ts';
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
      await streamText(call, JSON_LINES, linesOf(service.all(query)));
      return undefined;
    },
  });
}

const JSON_LINES = { mediaType: 'application/jsonl', name: 'audit', extension: 'jsonl' };

async function* linesOf(pieces: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  for await (const events of pieces)
    yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
