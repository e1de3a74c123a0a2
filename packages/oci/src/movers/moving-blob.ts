/**
 * One blob on a mover thread, as the main thread sees it: answers questions, and counts bytes.
 */
import type { MoveOptions } from '../copy/content.ts';
import { isOciError, type OciError } from '../oci-error.ts';
import type { RemoteBlob } from './blob-movers.ts';
import type { Answers, BlobTask, FromThread, Question, ToThread } from './messages.ts';
import { fromWire, toWire, type WireError } from './wire-error.ts';

type Send = (message: ToThread) => void;

export interface MovingBlob {
  readonly size: number;
  receive(message: FromThread): void;
  /** The thread has ended. */
  lost(error: OciError): void;
}

/** Moves the blob on the thread that `send` reaches. Settles once the thread has left the file. */
export function startMoving(
  task: BlobTask,
  { blob, options, send }: { blob: RemoteBlob; options: MoveOptions; send: Send },
): { moving: MovingBlob; settled: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { id } = task;
  const { signal } = options;
  const stopped = new AbortController();
  const waiting = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
  const desk = createDesk(blob, options, waiting);
  let failure: { error: unknown } | undefined;

  const fail = (error: unknown) => {
    failure ??= { error };
    send({ kind: 'abort', id });
  };
  const onAbort = () => fail(signal?.reason);
  const settle = (ended: { error: unknown } | undefined) => {
    signal?.removeEventListener('abort', onAbort);
    stopped.abort();
    desk.leaveAll();
    if (ended) reject(ended.error);
    else resolve();
  };
  const guard = (work: () => void) => {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  };
  const receive = (message: FromThread) => {
    if (message.kind === 'question') void desk.answer(message.call, message.question, send);
    else if (message.kind === 'left') desk.leave(message.slot);
    else if (message.kind === 'opened') guard(() => options.onOpened?.());
    else if (message.kind === 'written') guard(() => options.follower?.written(message.seal));
    else if (message.kind === 'log') blob.parts.log?.debug(message.facts, message.message);
    else if (message.kind === 'bytes') guard(() => count(message, options));
    else settle(failure ?? (message.error && { error: desk.original(message.error) }));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  send({ kind: 'move', task });
  if (signal?.aborted) onAbort();
  const { size } = blob.descriptor;
  const lost = (error: OciError) => settle(failure ?? { error });
  return { moving: { size, receive, lost }, settled: promise };
}

function count(
  { moved, reused }: { moved: number; reused: number },
  { onBytes }: MoveOptions,
): void {
  if (reused > 0) onBytes?.(reused, 'reused');
  if (moved > 0) onBytes?.(moved, 'moved');
}

/** Answers the questions of one blob, and holds its slots of hosts. */
function createDesk(
  { parts, session, scopes }: RemoteBlob,
  options: MoveOptions,
  signal: AbortSignal,
) {
  const slots = new Map<number, () => void>();
  const refusals = new Map<number, unknown>();
  const request = { scopes, signal };
  let lastSlot = 0;

  const enter = async (host: string): Promise<Answers['enter']> => {
    const leave = await parts.limiter.enter('read', host, signal);
    lastSlot += 1;
    slots.set(lastSlot, leave);
    // The thread may have ended while the blob waited for the slot.
    if (signal.aborted) leaveAll();
    return { slot: lastSlot, proxy: parts.proxy() };
  };
  const reply = (question: Question): Promise<Answers[keyof Answers]> => {
    switch (question.name) {
      case 'current':
        return session.authorizations.current(request);
      case 'renewed':
        return session.authorizations.renewed(request, question.challenge, question.refused);
      case 'enter':
        return enter(question.host);
      case 'resolve':
        return parts.lookup.resolve(question.host, question.port);
      case 'check':
        return parts.lookup.check(question.host, question.port).then(() => undefined);
      case 'wrote':
        return Promise.resolve(options.wrote?.(question.bytes)).then(() => undefined);
    }
  };
  const leave = (slot: number) => {
    slots.get(slot)?.();
    slots.delete(slot);
  };
  const leaveAll = () => {
    for (const slot of [...slots.keys()]) leave(slot);
  };
  return {
    leave,
    leaveAll,
    async answer(call: number, question: Question, send: Send): Promise<void> {
      try {
        send({ kind: 'answer', call, value: await reply(question) });
      } catch (error) {
        refusals.set(call, error);
        send({ kind: 'refusal', call, error: toWire(error) });
      }
    },
    /** The error that this thread gave to the other one, if that is what ended the blob. */
    original(wire: WireError): unknown {
      const known = wire.call === undefined ? undefined : refusals.get(wire.call);
      if (known === undefined) return fromWire(wire);
      if (isOciError(known)) known.side ??= wire.fault?.side;
      return known;
    },
  };
}
