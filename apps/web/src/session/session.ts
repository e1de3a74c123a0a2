/** Lets calls wait for a new sign-in after the session has ended. */
import type { OperationName } from '@portcullis/client/request';

type Answer = (renewed: boolean) => void;

let waiting: Answer[] = [];
let signedIn = false;
const listeners = new Set<() => void>();

/** Calls whose 401 is a regular answer. */
const OWN: ReadonlySet<string> = new Set<OperationName>(['auth.login', 'auth.logout']);

/** Resolves after the next sign-in. */
export function renewSession(name: OperationName): Promise<boolean> {
  if (!signedIn || OWN.has(name)) return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push(resolve);
    tell();
  });
}

/** Called by RequireSession. */
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
