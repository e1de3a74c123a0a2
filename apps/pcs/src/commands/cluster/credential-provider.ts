/**
 * `pcs credential-provider`: the kubelet runs it before it pulls. It exchanges the service account
 * token of the pod for a token of a robot.
 */

import { text } from 'node:stream/consumers';
import { exchangeToken, siteOf } from '@portcullis/client';
import {
  credentialResponse,
  noCredentials,
  ownHost,
  placeOf,
  readCredentialRequest,
} from '@portcullis/domain/admission';
import { invalid, isAppError } from '@portcullis/errors';
import type { PcsCall, PcsCommand } from '../../command.ts';
import { caOf, connectionTo } from '../../session.ts';
import { type KeptToken, keepToken, keptToken, waitForToken } from './cluster-tokens.ts';

/** Of root alone, and gone after a restart of the node, as the tokens of the kubelet are. */
const FOLDER = '/run/portcullis-tokens';

export const credentialProvider: PcsCommand = {
  name: 'credential-provider',
  words: [],
  summary: 'let the kubelet pull by the service account of the pod',
  help: [
    'A credential provider of the kubelet (credentialprovider.kubelet.k8s.io/v1): it reads the request of the kubelet from',
    'standard input, exchanges the service account token in it by a trust rule, and writes the credentials. PORTCULLIS_URL',
    'is the address. docs/guide/kubernetes.md has the configuration of the kubelet.',
  ],
  options: {
    host: { type: 'string', help: 'the host in names of images; by default that of the address' },
    cache: { type: 'string', help: `the folder that keeps tokens; by default ${FOLDER}` },
  },
  async run(call) {
    const request = readCredentialRequest(await text(process.stdin));
    if (typeof request === 'string') throw invalid('CREDENTIAL_REQUEST_INVALID', request);
    const { site: address } = call.config;
    if (address === undefined) throw invalid('USAGE', 'set PORTCULLIS_URL to the address');
    const site = siteOf(address);
    const host = call.value('host') ?? site.host;
    const place = placeOf(request.image, new Set([ownHost(host)]));
    if (place.kind !== 'own') return said(noCredentials());
    if (request.serviceAccountToken === null)
      throw invalid(
        'CREDENTIAL_REQUEST_INVALID',
        'the request has no service account token; set tokenAttributes.serviceAccountTokenAudience in the configuration of the kubelet',
      );
    const { token, username, expiresAt } = await tokenFor(call, site, request.serviceAccountToken);
    return said(credentialResponse({ host, username, password: token, expiresAt }, new Date()));
  },
};

/** The kubelet reads all of standard output. */
function said(response: object) {
  return { lines: [JSON.stringify(response)], facts: response };
}

/**
 * An identity token is exchanged once, and the kubelet sends the same one for each image of a pod.
 */
async function tokenFor(call: PcsCall, site: URL, identity: string): Promise<KeptToken> {
  const folder = call.value('cache') ?? FOLDER;
  const place = { folder, site: site.origin, identity };
  const kept = await keptToken(place);
  if (kept !== null) return kept;
  const ca = await caOf({ config: call.config, caFile: call.value('ca') });
  try {
    const exchanged = await exchangeToken(connectionTo(site, call.config, ca), identity);
    await keepToken(place, exchanged).catch((error: Error) =>
      call.terminal.note(`pcs: the token is not kept for the next image: ${error.message}`),
    );
    return exchanged;
  } catch (error) {
    if (!isAppError(error) || error.code !== 'IDENTITY_TOKEN_REPLAYED') throw error;
    // Another process of the same pod exchanges it at this moment.
    const others = await waitForToken(place);
    if (others === null) throw error;
    return others;
  }
}
