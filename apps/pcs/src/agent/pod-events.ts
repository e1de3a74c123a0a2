/** Reads what the API server of Kubernetes answers to a list and to a watch of pods. */
import { isRecord } from '@portcullis/domain';
import { type PodRuns, podRuns } from '@portcullis/domain/admission';

export interface PodPage {
  pods: PodRuns[];
  /** From where a watch goes on. */
  version: string;
  /** Null on the last page. */
  next: string | null;
}

export type PodChange =
  | { kind: 'pod'; pod: PodRuns; version: string }
  | { kind: 'gone'; uid: string; version: string }
  | { kind: 'bookmark'; version: string }
  /** What changed since the version is not known any more (410): the pods are listed again. */
  | { kind: 'expired' };

type ReadEvent = PodChange | { kind: 'fault'; message: string };

/** Null: it is no page. */
export function readPage(text: string, hosts: ReadonlySet<string>): PodPage | null {
  const body = parse(text);
  if (!isRecord(body) || !isRecord(body.metadata) || !Array.isArray(body.items)) return null;
  const { resourceVersion: version, continue: next } = body.metadata;
  if (typeof version !== 'string' || version === '') return null;
  return {
    pods: body.items.flatMap((pod) => podRuns(pod, hosts) ?? []),
    version,
    next: typeof next === 'string' && next !== '' ? next : null,
  };
}

/** A type that is not known changes nothing: null. */
export function readEvent(line: string, hosts: ReadonlySet<string>): ReadEvent | null {
  const event = parse(line);
  if (!isRecord(event) || !isRecord(event.object))
    return { kind: 'fault', message: 'the API server sent what is no event' };
  const { type, object } = event;
  if (type === 'ERROR')
    return object.code === 410
      ? { kind: 'expired' }
      : { kind: 'fault', message: messageOf(object) ?? 'the API server ended the watch' };
  const version = versionOf(object);
  if (version === null) return { kind: 'fault', message: 'an event has no resourceVersion' };
  if (type === 'BOOKMARK') return { kind: 'bookmark', version };
  const pod = podRuns(object, hosts);
  if (pod === null) return { kind: 'fault', message: 'an event has no pod' };
  if (type === 'DELETED') return { kind: 'gone', uid: pod.uid, version };
  return type === 'ADDED' || type === 'MODIFIED' ? { kind: 'pod', pod, version } : null;
}

/** The sentence of a `Status`. */
export function statusMessage(text: string): string | null {
  const body = parse(text);
  return isRecord(body) ? messageOf(body) : null;
}

function messageOf({ message }: Record<string, unknown>): string | null {
  return typeof message === 'string' && message !== '' ? message : null;
}

function versionOf({ metadata }: Record<string, unknown>): string | null {
  const version = isRecord(metadata) ? metadata.resourceVersion : null;
  return typeof version === 'string' && version !== '' ? version : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
