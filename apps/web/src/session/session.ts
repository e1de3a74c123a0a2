/** Whether the session still holds, for calls that find out that it doesn't. */
import type { OperationName } from '../api/operation-name.ts';

type Answer = (renewed: boolean) => void;

let waiting: Answer[] = [];
let signedIn = false;
const listeners = new Set<() => void>();

/** Calls made before anybody signed in, to do so, or to find out who has, are answered as they are. */
const OWN: ReadonlySet<string> = new Set<OperationName>(['auth.login', 'auth.logout', 'auth.me']);

/** Waits until somebody signs in again: what was typed stays where it is, and the call goes on. */
export function renewSession(name: OperationName): Promise<boolean> {
  if (!signedIn || OWN.has(name)) return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push(resolve);
    tell();
  });
}

/** Told by the gate, once it knows who is here. */
export function markSignedIn(is: boolean): void {
  signedIn = is;
}

export function settleSession(renewed: boolean): void {
  const settled = waiting;
  waiting = [];
  tell();
  for (const answer of settled) answer(renewed);
}

export const isSessionOver = (): boolean => waiting.length > 0;

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
