/**
 * `pcs credential-provider`: the kubelet runs it before it pulls. It exchanges the service account
 * token of the pod for a token of a robot.
 */

import { text } from 'node:stream/consumers';
import { siteOf } from '@portcullis/client';
import {
  credentialResponse,
  noCredentials,
  ownHost,
  placeOf,
  readCredentialRequest,
} from '@portcullis/domain/admission';
import { invalid } from '@portcullis/errors';
import type { PcsCommand } from '../../command.ts';
import { exchangedToken, TOKEN_FOLDER } from './exchanged-token.ts';

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
    cache: { type: 'string', help: `the folder that keeps tokens; by default ${TOKEN_FOLDER}` },
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
    // The kubelet sends the same token for each image of a pod.
    const { token, username, expiresAt } = await exchangedToken(call, {
      ...{ folder: call.value('cache') ?? TOKEN_FOLDER, site },
      identity: request.serviceAccountToken,
    });
    // The kubelet compares it with the name of the image, and the port of HTTPS as well.
    const [named = host] = request.image.split('/', 1);
    const credentials = { host: named, username, password: token, expiresAt };
    return said(credentialResponse(credentials, new Date()));
  },
};

/** The kubelet reads all of standard output. */
function said(response: object) {
  return { lines: [JSON.stringify(response)], facts: response };
}
