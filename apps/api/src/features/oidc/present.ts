import { fromWire, MASK, OidcSettingsChange } from '@portcullis/contract';
import type { OidcService } from './service.ts';
import type { OidcChange, OidcSettingsInForce } from './settings.ts';

export function presentSettings(settings: OidcSettingsInForce) {
  return { ...settings, clientSecret: settings.sealedSecret === null ? null : MASK };
}

export function changeOf(sent: OidcSettingsChange): OidcChange {
  const { clientSecret, ...rest } = fromWire(OidcSettingsChange, sent);
  return { ...rest, clientSecret: clientSecret === MASK ? undefined : clientSecret };
}

export function presentConfig({
  settings: { providerName },
  enabled,
  rule,
}: Awaited<ReturnType<OidcService['config']>>) {
  const links = { loginUrl: '/api/oidc/login', logoutUrl: '/api/oidc/logout' };
  return { ...links, enabled, oidcOnly: rule === 'none', providerName };
}
