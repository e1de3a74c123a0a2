/**
 * The audit events of changed standings and of vulnerabilities that are found for the first time.
 */
import {
  type DestinationStanding,
  EVENT_STANDING,
  eventStanding,
  IMAGE_BLOCKED,
  IMAGE_CLEARED,
  VULNERABILITY_APPEARED,
} from '@portcullis/domain';
import { type AuditEvent, systemEvent } from '@portcullis/events';
import type { AppearedVulnerability, JudgedImageRow } from '@portcullis/store';

export interface Owner {
  id: string;
  username: string;
}

const GATE = { id: null, name: 'gate' };
const MOST_NAMED = 100;

export interface EventStanding {
  row: JudgedImageRow;
  standing: DestinationStanding;
  /** The first of them. */
  tags: readonly string[];
}

export function standingEvent(
  { row, standing, tags }: EventStanding,
  owners: readonly Owner[],
): AuditEvent {
  const { repository, digest, folder, passes, verdict, code, blocking, policy, graceUntil } = row;
  return systemEvent({
    event: passes === true ? IMAGE_CLEARED : IMAGE_BLOCKED,
    outcome: 'success',
    actor: GATE,
    action: 'judge',
    resource: { kind: 'image', id: digest, name: repository, folder },
    detail: {
      tags,
      policy,
      verdict,
      code,
      blocking: blocking.slice(0, MOST_NAMED),
      blocking_total: blocking.length,
      [EVENT_STANDING]: eventStanding(standing),
      grace_until: graceUntil?.toISOString() ?? null,
      owners: owners.map(asOwner),
    },
  });
}

export function appearedEvent(
  { vulnerability, severity, images, folders }: AppearedVulnerability,
  owners: readonly (Owner & { folders: string[] })[],
): AuditEvent {
  return systemEvent({
    event: VULNERABILITY_APPEARED,
    outcome: 'success',
    actor: GATE,
    action: 'find',
    resource: { kind: 'vulnerability', id: null, name: vulnerability },
    detail: {
      severity,
      images,
      folders: folders.slice(0, MOST_NAMED),
      // With the folders that each may know of.
      owners: owners
        .slice(0, MOST_NAMED)
        .map((owner) => ({ ...asOwner(owner), folders: owner.folders.slice(0, MOST_NAMED) })),
    },
  });
}

function asOwner({ id, username }: Owner) {
  return { id, name: username };
}
