/**
 * Timeouts for the registry by request type. The pace of a client does not count;
 * apps/api/src/slow-bodies.ts limits it.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { unavailable } from '@portcullis/errors';
import type { Response } from 'express';
import type { V2Request } from '../routes.ts';

export interface ProxyTimeouts {
  connectMs: number;
  /** From the end of the request to the first byte of the reply. */
  answerMs: number;
  /** The same for operations that read many files of the registry: storing a manifest, deleting. */
  changeMs: number;
  /** The same for the end of an upload: the registry hashes the whole blob before its reply. */
  hashMs: number;
  /** Without progress in a body that the registry sends or receives. */
  stallMs: number;
}

export const PROXY_TIMEOUTS: ProxyTimeouts = {
  connectMs: 5_000,
  answerMs: 15_000,
  changeMs: 60_000,
  hashMs: 15 * 60_000,
  stallMs: 60_000,
};

export function answerTimeout(
  { method, route, query }: V2Request,
  timeouts: ProxyTimeouts,
): number {
  const endsUpload =
    (route.kind === 'upload' && method === 'PUT') ||
    (route.kind === 'upload-start' && query.has('digest'));
  if (endsUpload) return timeouts.hashMs;
  const changes = method === 'DELETE' || (route.kind === 'manifest' && method === 'PUT');
  return changes ? timeouts.changeMs : timeouts.answerMs;
}

/** Cancels the request to the registry after a timeout. */
export function watch(
  outgoing: ClientRequest,
  response: Response,
  { answerMs, stallMs }: Pick<ProxyTimeouts, 'answerMs' | 'stallMs'>,
): void {
  let answer: IncomingMessage | undefined;
  let silence: NodeJS.Timeout | undefined;
  const giveUp = () => void outgoing.destroy(registrySilent());
  const awaitAnswer = () => {
    if (!answer) silence = setTimeout(giveUp, answerMs);
  };
  const isRegistrysTurn = () => {
    if (answer) return !response.writableNeedDrain;
    return !outgoing.writableEnded && outgoing.writableNeedDrain;
  };
  if (outgoing.writableFinished) awaitAnswer();
  else outgoing.once('finish', awaitAnswer);
  outgoing.once('response', (incoming) => {
    answer = incoming;
    clearTimeout(silence);
  });
  outgoing.once('close', () => clearTimeout(silence));
  outgoing.setTimeout(stallMs);
  outgoing.on('timeout', () => {
    if (isRegistrysTurn()) giveUp();
    // A socket's timer fires once per idle period.
    else outgoing.setTimeout(stallMs);
  });
}

function registrySilent(): Error {
  return unavailable('REGISTRY_UNAVAILABLE', 'the registry does not answer; try again in a moment');
}
