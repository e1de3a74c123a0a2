/** `pcs login`: checks and stores the address and a token. */
import { type ApiClient, exchangeToken, openApi, siteOf } from '@portcullis/client';
import { invalid } from '@portcullis/errors';
import type { PcsCall, PcsCommand } from '../command.ts';
import { type StoredLogin, writeLogin } from '../credentials.ts';
import { identityToken } from '../identity.ts';
import { caOf, connectionTo } from '../session.ts';

export const login: PcsCommand = {
  name: 'login',
  words: ['[url]'],
  summary: 'store the address and a token',
  help: [
    'Prompts for a token for the REST API: a personal access token (on the page under My account), or one of a robot',
    '(under Robots); --token-stdin reads it from standard input. --oidc exchanges the identity token of a CI system for a',
    'token of a few minutes: that of GitHub Actions (permission `id-token: write`), or of PORTCULLIS_ID_TOKEN. The',
    'address defaults to PORTCULLIS_URL. The file is in the configuration folder of the system and readable by its owner',
    'only; PORTCULLIS_URL and PORTCULLIS_TOKEN take precedence.',
  ],
  options: {
    'token-stdin': { type: 'boolean', help: 'read the token from standard input' },
    oidc: { type: 'boolean', help: 'exchange the identity token of the CI system' },
    audience: { type: 'string', help: 'of the identity token; by default the address' },
  },
  async run(call) {
    const address = call.words[0] ?? call.config.site;
    if (address === undefined)
      throw invalid('USAGE', 'give the address, as in `pcs login https://images.example`');
    if (call.flag('oidc') && call.flag('token-stdin'))
      throw invalid('USAGE', 'give either --oidc or --token-stdin');
    const site = siteOf(address);
    const ca = await caOf({ config: call.config, caFile: call.value('ca') });
    const { token, expiresAt } = await tokenOf(call, site, ca);
    const api = openApi({ ...connectionTo(site, call.config, ca), token });
    const stored = await check(api, { token, expiresAt, ca });
    await writeLogin(call.config.credentialsFile, stored);
    const end = stored.expires_at === null ? '' : ` until ${stored.expires_at}`;
    return {
      lines: [`Logged in to ${stored.url} as ${stored.username}${end}.`],
      facts: { url: stored.url, username: stored.username, expires_at: stored.expires_at },
    };
  },
};

interface GivenToken {
  token: string;
  expiresAt: Date | null;
}

async function tokenOf(call: PcsCall, site: URL, ca: string | undefined): Promise<GivenToken> {
  if (!call.flag('oidc')) {
    const label = `Token for ${site.host} (create one for the REST API under My account)`;
    return { token: (await call.terminal.secret(label)).trim(), expiresAt: null };
  }
  const options = connectionTo(site, call.config, ca);
  const audience = call.value('audience') ?? site.origin;
  return exchangeToken(options, await identityToken(call.config, audience));
}

/** Nothing is stored that does not work. */
async function check(
  api: ApiClient,
  { token, expiresAt, ca }: GivenToken & { ca: string | undefined },
): Promise<StoredLogin> {
  try {
    const { username } = await api.call('auth.me');
    const expires_at = expiresAt?.toISOString() ?? null;
    return { url: api.site.origin, token, username, expires_at, ca: ca ?? null };
  } finally {
    api.close();
  }
}
