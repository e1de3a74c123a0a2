/** The accounts of the story, as clients of the REST API. */
import { type ApiClient, openApi, siteOf } from '@portcullis/client';
import type { Login as LoginAnswer } from '@portcullis/contract';
import { Refusal } from '../refusal.ts';
import type { Login } from '../state.ts';

export async function signIn(url: string, login: Login): Promise<ApiClient> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  });
  if (!answer.ok) throw new Refusal(`${login.username} can't sign in: ${await answer.text()}`);
  const { access_token: token }: LoginAnswer = await answer.json();
  return openApi({ site: siteOf(url), token, name: 'portcullis-demo' });
}
