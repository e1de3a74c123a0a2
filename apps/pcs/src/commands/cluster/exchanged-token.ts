/**
 * Exchanges the token of a service account by a trust rule, and keeps what is given. A kubelet
 * sends the same token for most of an hour: what was given and has ended is shown for the next one.
 */
import { exchangeToken } from '@portcullis/client';
import { isAppError } from '@portcullis/errors';
import type { PcsCall } from '../../command.ts';
import { caOf, connectionTo } from '../../session.ts';
import {
  formerToken,
  type KeptToken,
  keepToken,
  keptToken,
  waitForToken,
} from './cluster-tokens.ts';

/** Of root alone, and gone after a restart of the node, as the tokens of the kubelet are. */
export const TOKEN_FOLDER = '/run/portcullis-tokens';

interface Exchange {
  folder: string;
  site: URL;
  identity: string;
}

/** @throws AppError with the code of the exchange */
export async function exchangedToken(
  { config, terminal, value }: PcsCall,
  { folder, site, identity }: Exchange,
): Promise<KeptToken> {
  const place = { folder, site: site.origin, identity };
  const kept = await keptToken(place);
  if (kept !== null) return kept;
  const ca = await caOf({ config, caFile: value('ca') });
  const former = await formerToken(place);
  try {
    const connection = connectionTo(site, config, ca);
    const exchanged = await exchangeToken(connection, identity, former?.token ?? null);
    await keepToken(place, exchanged).catch((error: Error) =>
      terminal.note(`pcs: the token is not kept for the next use: ${error.message}`),
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
