/** Signs accounts in with a provider of OpenID Connect, and tests its settings. */
import { type FieldFault, fieldFault, type OidcTestStep } from '@portcullis/contract';
import type { GroupNotice, Principal } from '@portcullis/domain';
import { conflict, notFound, unauthenticated } from '@portcullis/errors';
import type { Store } from '@portcullis/store';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { fieldsInvalid } from '../../http/problem.ts';
import { type Principals, principalOf } from '../../identity/principals.ts';
import type { OpenedSession, SessionService } from '../../identity/sessions.ts';
import { checkedCertificate } from '../registries/certificate.ts';
import type { OidcAccounts } from './accounts.ts';
import type { Flow, Flows } from './flows.ts';
import type { LogoutHints } from './logout-hints.ts';
import { anAdminGetsIn, type LocalLogin, localLogin } from './password-rule.ts';
import type { Providers } from './provider.ts';
import {
  isSecure,
  type OidcChange,
  type OidcSettingsInForce,
  type OidcSettingsReader,
  type Usable,
  usable,
} from './settings.ts';
import { tryConnection } from './try-connection.ts';

export interface OidcPorts {
  store: Store;
  sessions: Pick<SessionService, 'open'>;
  principals: Pick<Principals, 'account'>;
  settings: OidcSettingsReader;
  providers: Providers;
  flows: Flows;
  hints: LogoutHints;
  accounts: OidcAccounts;
}

/** The callback from the provider. */
export interface ProviderAnswer {
  state: string | undefined;
  /** The whole query, unchanged. */
  search: string;
  /** The secret that `begin` returned. */
  browser: string | null;
}

export interface LoggedIn {
  session: OpenedSession;
  principal: Principal;
  next: string;
  /** The browser presents it at logout. */
  logoutTicket: string;
  notes: Record<string, unknown>;
  groupNotice: GroupNotice | null;
}

export function createOidcService(ports: OidcPorts) {
  const { store, settings, providers, flows } = ports;

  async function config(): Promise<{
    settings: OidcSettingsInForce;
    enabled: boolean;
    rule: LocalLogin;
  }> {
    const now = await settings.inForce();
    return {
      settings: now,
      enabled: usable(now) !== null,
      rule: await localLogin(now, store.identities),
    };
  }

  async function begin(
    next: string,
    redirectUri: string,
  ): Promise<{ url: string; browser: string }> {
    const now = await enabledSettings();
    const { issuer, clientId } = now;
    const state = randomState();
    const secrets = { nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const flow: Flow = { ...secrets, next, redirectUri, issuer, clientId };
    const url = await providers.authorizationUrl(now, { ...flow, state });
    return { url, browser: await flows.begin(state, flow) };
  }

  async function finish({ state, search, browser }: ProviderAnswer): Promise<LoggedIn> {
    const now = await enabledSettings();
    const flow = state !== undefined && browser !== null ? await flows.take(state, browser) : null;
    const fresh = flow !== null && flow.issuer === now.issuer && flow.clientId === now.clientId;
    if (!fresh || state === undefined) throw stateInvalid();
    const identified = await providers.identify(now, flow, { state, search });
    const { user, notes, groupNotice } = await ports.accounts.admit(identified, now);
    const session = await ports.sessions.open(user);
    await store.users.loggedIn(user.id, new Date());
    const logoutTicket = await ports.hints.keep(identified.idToken, session.seconds);
    const account = await ports.principals.account(user.id);
    if (!account) throw unauthenticated('OIDC_LOGIN_FAILED', 'The account is gone.');
    const principal = principalOf(account, { auth: 'oidc' });
    return { session, principal, next: flow.next, logoutTicket, notes, groupNotice };
  }

  /** Null if the provider needs no logout. */
  async function logoutUrl(ticket: string | null, backTo: string): Promise<string | null> {
    const now = usable(await settings.inForce());
    return now && providers.logoutUrl(now, await ports.hints.take(ticket), backTo);
  }

  async function enabledSettings(): Promise<Usable> {
    const now = usable(await settings.inForce());
    if (!now) throw notFound('OIDC_DISABLED', 'Logging in by an identity provider is not set up.');
    return now;
  }

  async function change(wanted: OidcChange): Promise<OidcSettingsInForce> {
    const [before, after] = await Promise.all([settings.inForce(), settings.after(wanted)]);
    assertWhole(after);
    checkedCertificate(after.caCert);
    if (after.oidcOnly && !before.oidcOnly && !(await anAdminGetsIn(after, store.identities))) {
      throw conflict(
        'OIDC_ONLY_NO_ADMIN',
        'First an administrator has to log in by this provider: this would lock out every administrator.',
      );
    }
    await settings.save(wanted);
    return settings.inForce();
  }

  async function attempt(wanted: OidcChange, redirectUri: string): Promise<OidcTestStep[]> {
    const after = await settings.after(wanted);
    checkedCertificate(after.caCert);
    const groups = await store.groups.listByNames(after.groupMapping.map(({ group }) => group));
    return tryConnection(after, { providers, redirectUri, groups: groups.map(({ name }) => name) });
  }

  return { config, begin, finish, logoutUrl, settings: settings.inForce, change, tried: attempt };
}
export type OidcService = ReturnType<typeof createOidcService>;

function assertWhole(settings: OidcSettingsInForce): void {
  if (!settings.enabled) return;
  const faults: FieldFault[] = [];
  if (settings.issuer === null) faults.push(required('issuer'));
  else if (!isSecure(settings))
    faults.push(
      fieldFault('issuer', 'ISSUER_NOT_HTTPS', 'https is required, unless allow_insecure is set.'),
    );
  if (settings.clientId === null) faults.push(required('client_id'));
  if (faults.length > 0) throw fieldsInvalid(faults);
}

const required = (path: string) =>
  fieldFault(path, 'REQUIRED', 'This field is required to enable the provider.');

/**
 * One message for all causes: unknown, used, expired, or started by another browser or with another
 * provider.
 */
function stateInvalid(): Error {
  return unauthenticated(
    'OIDC_STATE_INVALID',
    'This login was not begun here, or is over. Begin again.',
  );
}
