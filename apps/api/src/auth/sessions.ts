import type { IncomingMessage } from 'node:http';
import type { Principal } from '@portcullis/domain';
import { unauthenticated } from '@portcullis/errors';
import type { Store, User } from '@portcullis/store';
import { credentialOf } from './credential.ts';
import { liveUser, principalOf } from './principals.ts';
import { type Tokens, tokenInvalid } from './tokens.ts';

export interface OpenedSession {
  token: string;
  seconds: number;
}

export interface Sessions {
  open(user: User): Promise<OpenedSession>;
  /** Null without a credential. @throws unauthenticated */
  authenticate(request: IncomingMessage): Promise<Principal | null>;
  /** Whether the session that vouched for a principal is still good: for answers that last. */
  alive(principal: Principal): Promise<boolean>;
  end(principal: Principal): Promise<void>;
}

export function createSessions(store: Store, tokens: Tokens, seconds: number): Sessions {
  async function open(user: User): Promise<OpenedSession> {
    const session = await store.sessions.insert({
      userId: user.id,
      expiresAt: new Date(Date.now() + seconds * 1000),
    });
    return { token: tokens.issue({ userId: user.id, sessionId: session.id }, seconds), seconds };
  }

  async function authenticate(request: IncomingMessage): Promise<Principal | null> {
    const credential = credentialOf(request);
    if (!credential) return null;
    if (credential.kind !== 'bearer') throw unauthenticated('CREDENTIAL_UNSUPPORTED', 'Send a bearer token.');
    const { userId, sessionId } = tokens.read(credential.token);
    const session = await store.sessions.find(sessionId);
    if (session?.userId !== userId) throw tokenInvalid();
    return principalOf(store, await liveUser(store, userId), { auth: 'session', tokenId: sessionId });
  }

  async function alive({ tokenId }: Principal): Promise<boolean> {
    return tokenId !== undefined && (await store.sessions.find(tokenId)) !== null;
  }

  async function end({ tokenId }: Principal): Promise<void> {
    if (tokenId !== undefined) await store.sessions.revoke(tokenId);
  }

  return { open, authenticate, alive, end };
}
