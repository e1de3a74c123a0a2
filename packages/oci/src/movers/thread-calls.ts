/** Questions of a mover thread to the main thread, and their answers. */
import type { MessagePort } from 'node:worker_threads';
import type { Answers, FromThread, Question } from './messages.ts';
import { refusalFrom, type WireError } from './wire-error.ts';

export interface ThreadCalls {
  ask<Name extends keyof Answers>(
    id: number,
    question: Extract<Question, { name: Name }>,
  ): Promise<Answers[Name]>;
  tell(notice: FromThread): void;
  answered(call: number, value: unknown): void;
  refused(call: number, error: WireError): void;
}

export function createThreadCalls(port: MessagePort): ThreadCalls {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  const tell = (notice: FromThread) => port.postMessage(notice);
  const take = (call: number) => {
    const found = waiting.get(call);
    waiting.delete(call);
    return found;
  };
  return {
    tell,
    ask<Name extends keyof Answers>(id: number, question: Extract<Question, { name: Name }>) {
      last += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(last, answer);
      tell({ kind: 'question', id, call: last, question });
      return answer.promise as Promise<Answers[Name]>;
    },
    answered: (call, value) => take(call)?.resolve(value),
    refused: (call, error) => take(call)?.reject(refusalFrom(error, call)),
  };
}
