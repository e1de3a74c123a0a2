/** Serves the notifications of an account, and which kinds it wants. */
import { contract } from '@portcullis/contract';
import type { StoredNotification } from '@portcullis/store';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { NotificationService } from './service.ts';

export function notificationRoutes(service: NotificationService): Route[] {
  return implement(contract.notifications, {
    async listNotifications({ query }, call) {
      const { items, unread, nextCursor } = await service.list(call.principal, query);
      announcePage(call, { nextCursor, total: null });
      return { unread, items: items.map(present) };
    },

    async markNotificationsRead({ body: { ids } }, call) {
      call.note({ ids: ids ?? 'all' });
      await service.markRead(call.principal, ids ?? null);
    },

    getNotificationSettings: (_, call) => service.settings(call.principal),

    getNotificationMail: (_, call) => service.mail(call.principal),

    async putNotificationSettings({ body }, call) {
      call.note(body);
      const choices = body.settings.map(({ kind, page, mail }) => [kind, { page, mail }] as const);
      return service.choose(call.principal, new Map(choices));
    },
  });
}

function present({ facts, ...notification }: StoredNotification) {
  return {
    ...notification,
    digest: facts.digest ?? null,
    facts: {
      code: facts.code ?? null,
      destination: facts.destination ?? null,
      local: facts.local ?? null,
      policy: facts.policy ?? null,
      tags: facts.tags ?? [],
      standing: facts.standing ?? null,
      graceUntil: facts.graceUntil ?? null,
      count: facts.count ?? null,
      decision: facts.decision ?? null,
      review: facts.review ?? null,
      outcome: facts.outcome ?? null,
      approved: facts.approved ?? null,
      waitsUntil: facts.waitsUntil ?? null,
      missingSignatures: facts.missingSignatures ?? null,
      jobId: facts.jobId ?? null,
      by: facts.by ?? null,
      reason: facts.reason ?? null,
      endsAt: facts.endsAt ?? null,
      pushed: facts.pushed ?? null,
      blocked: facts.blocked ?? null,
      failed: facts.failed ?? null,
    },
  };
}
