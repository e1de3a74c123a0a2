import type { CookieOptions } from 'express';
import type { ApiCall } from '../http/call.ts';
import { isSecure } from '../http/client/public-url.ts';
import { sessionCookieName } from './credential.ts';
import type { OpenedSession } from './sessions.ts';

export function setSessionCookie(
  call: ApiCall,
  { token, seconds }: OpenedSession,
  publicUrl: string | null,
): void {
  const set = options(call, publicUrl);
  call.cookie(sessionCookieName(set.secure), token, { ...set, maxAge: seconds * 1000 });
}

export function clearSessionCookie(call: ApiCall, publicUrl: string | null): void {
  const set = options(call, publicUrl);
  call.response.clearCookie(sessionCookieName(set.secure), set);
}

function options(call: ApiCall, publicUrl: string | null): CookieOptions & { secure: boolean } {
  const secure = isSecure(call.request, publicUrl);
  return { httpOnly: true, sameSite: 'strict', secure, path: '/' };
}
