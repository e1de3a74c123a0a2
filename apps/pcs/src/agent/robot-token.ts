/**
 * The token with which the agent reports: the robot's, from a file or the environment, or one that
 * is given for the identity token of the pod.
 */
import { readFile } from 'node:fs/promises';
import { invalid } from '@portcullis/errors';
import type { PcsCall } from '../command.ts';
import { exchangedToken, TOKEN_FOLDER } from '../commands/cluster/exchanged-token.ts';

/** Files are read for each report: they are replaced while the agent runs. */
export function robotToken(call: PcsCall, site: URL): () => Promise<string> {
  const [token, identity] = [call.value('token-file'), call.value('identity-file')];
  if (token !== undefined && identity !== undefined)
    throw invalid('USAGE', 'give either --token-file or --identity-file');
  if (token !== undefined) return () => textIn(token);
  if (identity !== undefined) {
    const folder = call.value('cache') ?? TOKEN_FOLDER;
    return async () =>
      (await exchangedToken(call, { folder, site, identity: await textIn(identity) })).token;
  }
  const { token: given } = call.config;
  if (given === undefined)
    throw invalid('USAGE', 'give --token-file or --identity-file, or set PORTCULLIS_TOKEN');
  return async () => given;
}

async function textIn(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}
