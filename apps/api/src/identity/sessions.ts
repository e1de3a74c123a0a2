/** Opens, finds and ends sessions; their tokens are signed and revocable. */
import type { Principal } from '@portcullis/domain';
import type { Store, User } from '@portcullis/store';
import { type Principals, principalOf } from './principals.ts';
import type { Tokens } from './tokens.ts';

export interface OpenedSession {
  token: string;
  seconds: number;
}

export interface SessionService {
  open(user: User): Promise<OpenedSession>;
  /**
   * Null once the session or its account is gone.
   * @throws unauthenticated for a token we did not sign
   */
  principalOf(token: string): Promise<Principal | null>;
  /** The same for a known session id. */
  byId(sessionId: string): Promise<Principal | null>;
  end(principal: Principal): Promise<void>;
}

export interface SessionPorts {
  sessions: Store['sessions'];
  principals: Principals;
  tokens: Tokens;
  /** The lifetime of a session. */
  seconds: number;
}

export function createSessions({
  sessions,
  principals,
  tokens,
  seconds,
}: SessionPorts): SessionService {
  async function open(user: User): Promise<OpenedSession> {
    const expiresAt = new Date(Date.now() + seconds * 1000);
    const session = await sessions.insert({ userId: user.id, expiresAt });
    return { token: tokens.issue({ userId: user.id, sessionId: session.id }, seconds), seconds };
  }

  async function byId(sessionId: string): Promise<Principal | null> {
    const session = await principals.session(sessionId);
    const account = session && (await principals.account(session.userId));
    return account && principalOf(account, { auth: 'session', tokenId: sessionId });
  }

  return {
    open,
    async principalOf(token) {
      const { userId, sessionId } = tokens.read(token);
      const principal = await byId(sessionId);
      return principal?.id === userId ? principal : null;
    },
    byId,
    async end({ auth, tokenId }) {
      if (auth !== 'token' && tokenId !== undefined) await sessions.revoke(tokenId);
    },
  };
}
