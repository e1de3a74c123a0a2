/** The identity token of the CI system: a JWT that says which pipeline runs. */
import { createConnection } from '@portcullis/client';
import { invalid, unavailable } from '@portcullis/errors';
import type { PcsConfig } from './config.ts';

/** @throws invalid `IDENTITY_MISSING`, unavailable `IDENTITY_UNAVAILABLE` */
export async function identityToken(config: PcsConfig, audience: string): Promise<string> {
  const { token, requestUrl, requestToken } = config.identity;
  if (token !== undefined) return token;
  if (requestUrl !== undefined && requestToken !== undefined)
    return issued(config, { url: new URL(requestUrl), requestToken, audience });
  throw invalid(
    'IDENTITY_MISSING',
    'there is no identity token; set PORTCULLIS_ID_TOKEN (GitLab: id_tokens), or the permission id-token: write on GitHub',
  );
}

/** GitHub issues one for any audience. */
async function issued(
  { proxy, version }: PcsConfig,
  { url, requestToken, audience }: { url: URL; requestToken: string; audience: string },
): Promise<string> {
  url.searchParams.set('audience', audience);
  const connection = createConnection({ site: new URL(url.origin), name: `pcs/${version}`, proxy });
  try {
    const { status, text } = await connection.send({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { authorization: `Bearer ${requestToken}`, accept: 'application/json' },
      repeatable: true,
    });
    const value = status === 200 ? valueIn(text) : undefined;
    if (value !== undefined) return value;
    throw unavailable(
      'IDENTITY_UNAVAILABLE',
      `${url.host} issued no identity token (${status}); check the permission id-token: write`,
    );
  } finally {
    connection.close();
  }
}

function valueIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)?.value;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
