/** What an event says about an image that the policy blocks and a privilege let through. */
import type { AuditEvent } from '@portcullis/contract';
import { isBypassEvent } from '@portcullis/domain';

export interface BypassFacts {
  image: string | null;
  /** In the built-in registry without its host. Null for a pull. */
  destination: string | null;
  reason: string | null;
}

type Subject = Pick<AuditEvent, 'event' | 'outcome' | 'resource' | 'detail'>;

/** Null where the event is none of a bypass. */
export function bypassFacts(event: Subject): BypassFacts | null {
  if (!isBypassEvent(event)) return null;
  const of = (name: string) => textOf(event.detail[name]);
  const name = event.resource?.name ?? null;
  return { ...endsOf(event.event, name, of), reason: of('reason') };
}

function endsOf(
  event: string,
  name: string | null,
  of: (name: string) => string | null,
): Omit<BypassFacts, 'reason'> {
  const source = of('source_tag');
  if (event === 'image.copy')
    return {
      image: tagged(of('source_repository'), source),
      destination: tagged(of('dest_repository'), of('dest_tag') ?? source),
    };
  if (event === 'image.retag')
    return { image: tagged(name, source), destination: tagged(name, of('new_tag')) };
  const place = of('destination');
  const isLocal = of('local_repository') !== null;
  return {
    image: tagged(name, of('reference')),
    destination: isLocal && place !== null ? place.slice(place.indexOf('/') + 1) : place,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function tagged(repository: string | null, reference: string | null): string | null {
  if (repository === null || reference === null) return repository;
  return `${repository}${reference.startsWith('sha256:') ? '@' : ':'}${reference}`;
}
