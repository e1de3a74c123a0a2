import {
  MASK,
  type OidcConfig,
  type OidcSettings,
  type OidcSettingsChange,
} from '@portcullis/contract';
import type { OidcService } from './service.ts';
import type { OidcChange, OidcSettingsInForce } from './settings.ts';

export function presentSettings(settings: OidcSettingsInForce): OidcSettings {
  return {
    enabled: settings.enabled,
    provider_name: settings.providerName,
    issuer: settings.issuer,
    client_id: settings.clientId,
    client_secret: settings.sealedSecret === null ? null : MASK,
    scopes: settings.scopes,
    username_claim: settings.usernameClaim,
    groups_claim: settings.groupsClaim,
    admin_groups: settings.adminGroups,
    allowed_groups: settings.allowedGroups,
    group_mapping: settings.groupMapping,
    oidc_only: settings.oidcOnly,
    allow_insecure: settings.allowInsecure,
    ca_cert: settings.caCert,
  };
}

export function changeOf(sent: OidcSettingsChange): OidcChange {
  return {
    enabled: sent.enabled,
    providerName: sent.provider_name,
    issuer: sent.issuer,
    clientId: sent.client_id,
    clientSecret: sent.client_secret === MASK ? undefined : sent.client_secret,
    scopes: sent.scopes,
    usernameClaim: sent.username_claim,
    groupsClaim: sent.groups_claim,
    adminGroups: sent.admin_groups,
    allowedGroups: sent.allowed_groups,
    groupMapping: sent.group_mapping,
    oidcOnly: sent.oidc_only,
    allowInsecure: sent.allow_insecure,
    caCert: sent.ca_cert,
  };
}

export function presentConfig({
  settings,
  enabled,
  rule,
}: Awaited<ReturnType<OidcService['config']>>): OidcConfig {
  return {
    enabled,
    oidc_only: rule === 'none',
    provider_name: settings.providerName,
    login_url: '/api/oidc/login',
    logout_url: '/api/oidc/logout',
  };
}
