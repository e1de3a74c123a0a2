/**
 * Timeouts for the registry by request type. A slow client does not count;
 * apps/api/src/slow-bodies.ts ends those.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { unavailable } from '@portcullis/errors';
import type { Response } from 'express';
import type { V2Request } from '../parse.ts';

export interface ProxyTimeouts {
  connectMs: number;
  /** From the end of the request to the first byte of the answer. */
  answerMs: number;
  /** The same for what reads many files of the registry: storing a manifest, deleting. */
  changeMs: number;
  /** The same for the end of an upload: the registry hashes the whole blob before it answers. */
  hashMs: number;
  /** In the middle of a body that the registry should send or take. */
  stallMs: number;
}

export const PATIENCE: ProxyTimeouts = {
  connectMs: 5_000,
  answerMs: 15_000,
  changeMs: 60_000,
  hashMs: 15 * 60_000,
  stallMs: 60_000,
};

export function answerPatience(
  { method, route, query }: V2Request,
  patience: ProxyTimeouts,
): number {
  const endsUpload =
    (route.kind === 'upload' && method === 'PUT') ||
    (route.kind === 'upload-start' && query.has('digest'));
  if (endsUpload) return patience.hashMs;
  const changes = method === 'DELETE' || (route.kind === 'manifest' && method === 'PUT');
  return changes ? patience.changeMs : patience.answerMs;
}

/** Ends the request to the registry when the registry is silent for too long. */
export function watch(
  outgoing: ClientRequest,
  response: Response,
  { answerMs, stallMs }: Pick<ProxyTimeouts, 'answerMs' | 'stallMs'>,
): void {
  let answer: IncomingMessage | undefined;
  let silence: NodeJS.Timeout | undefined;
  const giveUp = () => void outgoing.destroy(registrySilent());
  const sent = () => {
    if (!answer) silence = setTimeout(giveUp, answerMs);
  };
  const isRegistrysTurn = () => {
    if (answer) return !response.writableNeedDrain;
    return !outgoing.writableEnded && outgoing.writableNeedDrain;
  };
  if (outgoing.writableFinished) sent();
  else outgoing.once('finish', sent);
  outgoing.once('response', (incoming) => {
    answer = incoming;
    clearTimeout(silence);
  });
  outgoing.once('close', () => clearTimeout(silence));
  outgoing.setTimeout(stallMs);
  outgoing.on('timeout', () => {
    if (isRegistrysTurn()) giveUp();
    // The timer of a socket runs once for each silence.
    else outgoing.setTimeout(stallMs);
  });
}

function registrySilent(): Error {
  return unavailable('REGISTRY_UNAVAILABLE', 'the registry does not answer; try again in a moment');
}
