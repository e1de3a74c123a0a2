/** Exchanges the identity token of a CI system for a token of this API (RFC 8693). */
import { unavailable } from '@portcullis/errors';
import { parsedAnswer } from './answer.ts';
import { faultOf } from './api.ts';
import { type ConnectionOptions, createConnection } from './connection.ts';

export interface ExchangedToken {
  token: string;
  /** The robot, which is the username beside the token on `/v2`. */
  username: string;
  expiresAt: Date;
}

const TYPES = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
};

const FORMER_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * @param formerToken what was given for the same identity token before: without it each is
 * exchanged once
 * @throws AppError with the code of the fault
 */
export async function exchangeToken(
  options: ConnectionOptions,
  identityToken: string,
  formerToken: string | null = null,
): Promise<ExchangedToken> {
  const connection = createConnection(options);
  try {
    const { status, headers, text } = await connection.send({
      method: 'POST',
      path: '/api/auth/exchange',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        ...TYPES,
        subject_token: identityToken,
        ...(formerToken !== null && { actor_token: formerToken, actor_token_type: FORMER_TYPE }),
      }).toString(),
      repeatable: false,
    });
    if (status >= 300) throw faultOf(status, headers, text);
    return tokenIn(parsedAnswer(text, connection.site));
  } finally {
    connection.close();
  }
}

function tokenIn(body: unknown): ExchangedToken {
  if (typeof body === 'object' && body !== null && 'access_token' in body && 'expires_in' in body) {
    const expiresAt = new Date(Date.now() + Number(body.expires_in) * 1000);
    const username = 'username' in body ? String(body.username) : '';
    return { token: String(body.access_token), username, expiresAt };
  }
  throw unavailable('EXCHANGE_INVALID', 'the answer to the exchange contains no token');
}
