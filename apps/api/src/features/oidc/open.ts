/** Assembles OIDC: first the settings and the password rule, which the password check needs. */
import type { LiveSettings } from '@portcullis/events';
import type { Transport } from '@portcullis/oci/remote';
import { type Logger, type Redis, sealer } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { IdentityParts } from '../../identity/identity.ts';
import { createOidcAccounts } from './accounts.ts';
import { createFlows } from './flows.ts';
import { createLogoutHints } from './logout-hints.ts';
import { createPasswordRule } from './password-rule.ts';
import { createProviders } from './provider.ts';
import { createOidcService, type OidcService } from './service.ts';
import { createOidcSettings, type OidcGiven } from './settings.ts';

export interface OidcDeps {
  store: Store;
  redis: Redis;
  secretKey: Buffer;
  otherKeys?: readonly Buffer[] | undefined;
  settings: LiveSettings;
  egress: { configured: Transport };
  /** `OIDC_*`. */
  env: Partial<OidcGiven>;
  log: Logger;
}

export function openOidc(deps: OidcDeps) {
  const { redis, egress, log } = deps;
  const seal = sealer(deps.secretKey, deps.otherKeys);
  const settings = createOidcSettings({
    store: deps.store.settings,
    live: deps.settings,
    sealer: seal,
    env: deps.env,
  });

  function service({ store, sessions, principals }: IdentityParts): OidcService {
    return createOidcService({
      store,
      settings,
      sessions,
      principals,
      providers: createProviders({
        transport: egress.configured,
        sealer: seal,
        log,
        now: Date.now,
      }),
      flows: createFlows(redis, seal),
      hints: createLogoutHints(redis, seal),
      accounts: createOidcAccounts(store),
    });
  }

  return {
    passwordRule: createPasswordRule({ settings, identities: deps.store.identities }),
    service,
  };
}

export type Oidc = ReturnType<typeof openOidc>;
