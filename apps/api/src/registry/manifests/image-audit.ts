/**
 * Audit events of `/v2`: pulls, pushes and deletions of images, and reads of blobs without a
 * manifest. The event of a change is committed before the request to the registry and completed
 * with the reply: see docs/decisions/0013-audit-outbox.md.
 */
import { randomUUID } from 'node:crypto';
import { folderOf, type Principal } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import type { AuditEvent } from '@portcullis/events';
import type { Request, Response } from 'express';
import { type AuditPorts, auditEvent, interrupted, type PublishAudit } from '../../http/audit.ts';
import type { AuditNotes } from '../../http/call.ts';
import type { V2Action } from '../access/scope.ts';
import { ociError } from '../errors.ts';
import { operationOf, type RepositoryRoute } from '../routes.ts';

export interface Audience {
  publish: PublishAudit | undefined;
  /** Without it, the event of a change is published after the reply, like that of a pull. */
  changes: Pick<AuditPorts, 'scope' | 'end'> | undefined;
  request: Request;
  response: Response;
}

export interface AuditedAction {
  route: RepositoryRoute;
  principal: Principal;
  folders: ReadonlySet<string>;
  /** Null before the reply. */
  status: number | null;
  /** The manifest's digest as reported by the registry. */
  digest?: string | undefined;
  /** The code of a denial. */
  code?: string;
  /** Why a blocked image was served or refused: `explain` of packages/gate. */
  decision?: unknown;
  /** A blob was read without a manifest of its repository. */
  isBlobAlone?: boolean;
}

/**
 * Whether the request is recorded: pulls, pushes and deletions of images, not `HEAD`; and every
 * denial.
 */
function isRecorded(method: string, route: RepositoryRoute, status: number): boolean {
  return status === 401 || status === 403 || operationOf(method, route).isRecorded === true;
}

export interface ImageAudit {
  record(status: number, more?: Partial<AuditedAction>): Promise<void>;
  /** Commits the event before the registry is asked to change an image. */
  intend(): Promise<void>;
  /** Completes the event of a change that failed before the registry answered. */
  failed(error: unknown): Promise<void>;
}

export function createImageAudit(
  audience: Audience,
  action: Omit<AuditedAction, 'status'>,
): ImageAudit {
  const { publish, changes, request } = audience;
  const id = randomUUID();
  const eventOf = (more: Partial<AuditedAction> & Pick<AuditedAction, 'status'>) =>
    imageEvent(audience, { ...action, ...more }, id);
  const scope = changes?.scope(() => interrupted(eventOf({ status: null })));
  let open = false;

  async function record(status: number, more: Partial<AuditedAction> = {}): Promise<void> {
    const isDue = more.isBlobAlone || isRecorded(request.method, action.route, status);
    if (!publish || !isDue) return;
    const event = eventOf({ ...more, status });
    if (!changes || !scope || !open) return publish(event);
    open = false;
    await changes.end(scope, event);
  }

  return {
    record,
    async intend() {
      if (!scope || open) return;
      await scope.intend();
      open = true;
    },
    async failed(error) {
      if (open) await record(ociError(error).status, isAppError(error) ? { code: error.code } : {});
    },
  };
}

function imageEvent({ request, response }: Audience, deed: AuditedAction, id: string): AuditEvent {
  const { route, principal, status } = deed;
  const action = operationOf(request.method, route).right;
  const notes = { ...notesOf(deed), id };
  const event = deed.decision === undefined ? EVENTS[action] : 'image.pulled_blocked';
  return auditEvent(request, response, { event, action, status, principal, notes });
}

const EVENTS = {
  pull: 'image.pull',
  push: 'image.push',
  delete: 'image.delete',
} as const satisfies Record<V2Action, string>;

function notesOf({ route, folders, digest, code, decision }: AuditedAction): AuditNotes {
  const name = route.repository;
  return {
    actor: null,
    resource: { kind: 'image', id: digest ?? null, name, folder: folderOf(name, folders) },
    detail: {
      ...(route.kind === 'manifest' && { reference: route.reference }),
      ...(route.kind === 'blob' && { blob: route.digest }),
      ...(code !== undefined && { code }),
      ...(decision !== undefined && { decision }),
    },
  };
}
