import type { CookieOptions } from 'express';
import type { ApiCall } from '../http/call.ts';
import { publicUrlOf } from '../http/caller/public-url.ts';
import { SESSION_COOKIE } from './credential.ts';
import type { OpenedSession } from './sessions.ts';

export function setSessionCookie(
  call: ApiCall,
  { token, seconds }: OpenedSession,
  publicUrl: string | null,
): void {
  call.cookie(SESSION_COOKIE, token, { ...options(call, publicUrl), maxAge: seconds * 1000 });
}

export function clearSessionCookie(call: ApiCall, publicUrl: string | null): void {
  call.response.clearCookie(SESSION_COOKIE, options(call, publicUrl));
}

function options(call: ApiCall, publicUrl: string | null): CookieOptions {
  const secure = publicUrlOf(call.request, publicUrl).startsWith('https:');
  return { httpOnly: true, sameSite: 'strict', secure, path: '/' };
}
