/** `/v2` requests → audit events: of images, not of their blobs (decisions.md § Audit and notification). */
import { folderOf, type Principal } from '@portcullis/domain';
import type { Request, Response } from 'express';
import { auditEvent, type PublishAudit } from '../http/audit.ts';
import type { AuditNotes } from '../http/call.ts';
import { actionOf } from './authorize.ts';
import type { RepositoryRoute } from './parse.ts';
import type { V2Action } from './scope.ts';

export interface Audience {
  publish: PublishAudit | undefined;
  request: Request;
  response: Response;
}

export interface Deed {
  route: RepositoryRoute;
  principal: Principal;
  folders: ReadonlySet<string>;
  status: number;
  /** Of the manifest, as the registry says it. */
  digest?: string | undefined;
  /** Why it was denied. */
  code?: string;
}

/** Whether an image was moved or removed: `HEAD` only asks. A denial is told of whatever the route. */
export function isTold(method: string, kind: RepositoryRoute['kind'], status: number): boolean {
  if (status === 401 || status === 403) return true;
  return method === 'DELETE' ? kind !== 'upload' : kind === 'manifest' && method !== 'HEAD';
}

export async function tell({ publish, request, response }: Audience, deed: Deed): Promise<void> {
  const { route, principal, status } = deed;
  if (!publish || !isTold(request.method, route.kind, status)) return;
  const action = actionOf(request.method, route.kind);
  const audited = { event: EVENTS[action], action, status, principal, notes: notesOf(deed) };
  await publish(auditEvent(request, response, audited));
}

const EVENTS = {
  pull: 'image.pull',
  push: 'image.push',
  delete: 'image.delete',
} as const satisfies Record<V2Action, string>;

function notesOf({ route, folders, digest, code }: Deed): AuditNotes {
  const name = route.repository;
  return {
    actor: null,
    resource: { kind: 'image', id: digest ?? null, name, folder: folderOf(name, folders) },
    detail: {
      ...(route.kind === 'manifest' && { reference: route.reference }),
      ...(route.kind === 'blob' && { blob: route.digest }),
      ...(code !== undefined && { code }),
    },
  };
}
