/**
 * Settings of proxy, syslog and e-mail, by section: stored override, then environment, then
 * default. The REST API and the store use the same field names.
 */
export interface ProxySettings {
  /** URLs. User and password in them are secrets. */
  http_proxy: string | null;
  https_proxy: string | null;
  /** Comma-separated hosts that bypass the proxy. */
  no_proxy: string | null;
}

export const SYSLOG_PROTOCOLS = ['udp', 'tcp', 'tcp+tls'] as const;
export const SYSLOG_RFCS = ['rfc3164', 'rfc5424'] as const;
/** What ends a message on a stream (RFC 6587): its length before it, or a newline after it. */
export const SYSLOG_FRAMINGS = ['octet-counting', 'newline'] as const;

export interface SyslogSettings {
  syslog_enabled: boolean;
  syslog_host: string | null;
  syslog_port: number;
  syslog_protocol: (typeof SYSLOG_PROTOCOLS)[number];
  syslog_rfc: (typeof SYSLOG_RFCS)[number];
  /** Of `tcp` and `tcp+tls`; a datagram has one message. */
  syslog_framing: (typeof SYSLOG_FRAMINGS)[number];
  syslog_forward_audit: boolean;
  /** Application logs of all processes. */
  syslog_forward_uvicorn: boolean;
  syslog_tls_verify: boolean;
  /** Paths of PEM files on the machines of the notifier. */
  syslog_tls_ca_cert: string | null;
  syslog_tls_client_cert: string | null;
  syslog_tls_client_key: string | null;
  syslog_auth_enabled: boolean;
  syslog_auth_username: string | null;
  syslog_auth_password: string | null;
}

export const EMAIL_SECURITY = ['none', 'starttls', 'ssl'] as const;

export interface EmailSettings {
  enabled: boolean;
  host: string | null;
  port: number;
  security: (typeof EMAIL_SECURITY)[number];
  username: string | null;
  password: string | null;
  from_address: string | null;
  to_addresses: string[];
  /** The name of this client in EHLO; null for one that is made of the host or of the sender. */
  ehlo_name: string | null;
  notify_login: boolean;
  notify_audit: boolean;
  tls_verify: boolean;
  /** Path of a PEM file on the machines of the notifier. */
  tls_ca_cert: string | null;
}

export interface NetworkSettings {
  proxy: ProxySettings;
  syslog: SyslogSettings;
  email: EmailSettings;
}
export type NetworkSection = keyof NetworkSettings;
export const NETWORK_SECTIONS = ['proxy', 'syslog', 'email'] as const satisfies NetworkSection[];

export const DEFAULT_NETWORK: NetworkSettings = {
  proxy: { http_proxy: null, https_proxy: null, no_proxy: null },
  syslog: {
    syslog_enabled: false,
    syslog_host: null,
    syslog_port: 514,
    syslog_protocol: 'udp',
    syslog_rfc: 'rfc5424',
    syslog_framing: 'octet-counting',
    syslog_forward_audit: true,
    syslog_forward_uvicorn: false,
    syslog_tls_verify: true,
    syslog_tls_ca_cert: null,
    syslog_tls_client_cert: null,
    syslog_tls_client_key: null,
    syslog_auth_enabled: false,
    syslog_auth_username: null,
    syslog_auth_password: null,
  },
  email: {
    enabled: false,
    host: null,
    port: 587,
    security: 'starttls',
    username: null,
    password: null,
    from_address: null,
    ehlo_name: null,
    to_addresses: [],
    notify_login: false,
    notify_audit: false,
    tls_verify: true,
    tls_ca_cert: null,
  },
};

/** Encrypted in the store, masked in responses. */
export const NETWORK_SECRETS: { [S in NetworkSection]: readonly (keyof NetworkSettings[S])[] } = {
  proxy: ['http_proxy', 'https_proxy'],
  syslog: ['syslog_auth_password'],
  email: ['password'],
};

/**
 * Variables that may name a file instead: `<name>_FILE`. Certificates and keys are always files.
 */
export const NETWORK_SECRET_VARIABLES: readonly string[] = [
  'EMAIL_PASSWORD',
  'SYSLOG_AUTH_PASSWORD',
  'HTTP_PROXY',
  'HTTPS_PROXY',
];

export function networkKey(section: NetworkSection): string {
  return `network.${section}`;
}

/** A stored override, with encrypted secrets. */
type StoredSection<S extends NetworkSection> = Partial<NetworkSettings[S]> & {
  /**
   * When the section was enabled, as an id of the event stream. Earlier events are not delivered.
   */
  since?: number;
  /** The id of the request that enabled it. */
  enabledBy?: string;
};

export interface InForce<S extends NetworkSection> {
  settings: NetworkSettings[S];
  source: 'env' | 'override';
  since: number | null;
  enabledBy: string | null;
}

/** `stored` was written by us; fields that it lacks get their default. */
export function sectionInForce<S extends NetworkSection>(
  section: S,
  stored: unknown,
  { env, open }: { env: NetworkSettings; open: (sealed: string) => string },
): InForce<S> {
  if (typeof stored !== 'object' || stored === null)
    return { settings: env[section], source: 'env', since: null, enabledBy: null };
  const { since = null, enabledBy = null, ...fields } = stored as StoredSection<S>;
  const settings = { ...DEFAULT_NETWORK[section], ...fields };
  return { settings: mapSecrets(section, settings, open), source: 'override', since, enabledBy };
}

/** A copy with `change` applied to every secret. */
export function mapSecrets<S extends NetworkSection>(
  section: S,
  settings: NetworkSettings[S],
  change: (secret: string) => string,
): NetworkSettings[S] {
  const copy = { ...settings };
  for (const field of NETWORK_SECRETS[section]) {
    const value = copy[field];
    if (typeof value === 'string') Object.assign(copy, { [field]: change(value) });
  }
  return copy;
}

/** The proxy variables that command-line tools know, for our transports and for child processes. */
export function proxyVariables({ http_proxy, https_proxy, no_proxy }: ProxySettings): {
  HTTP_PROXY?: string;
  HTTPS_PROXY?: string;
  NO_PROXY?: string;
} {
  return {
    ...(http_proxy !== null && { HTTP_PROXY: http_proxy }),
    ...(https_proxy !== null && { HTTPS_PROXY: https_proxy }),
    ...(no_proxy !== null && { NO_PROXY: no_proxy }),
  };
}

/** Whether e-mail is sent: notifications, and mail to requesters of waivers. */
export function emailNotifies({ enabled }: EmailSettings): boolean {
  return enabled;
}

/** Whether application logs are forwarded to syslog. */
export function forwardsLogs({ syslog_enabled, syslog_forward_uvicorn }: SyslogSettings): boolean {
  return syslog_enabled && syslog_forward_uvicorn;
}

/** Whether audit events are forwarded to syslog. */
export function forwardsAudit({ syslog_enabled, syslog_forward_audit }: SyslogSettings): boolean {
  return syslog_enabled && syslog_forward_audit;
}

/** The group of all webhooks; it also reads while there are none. */
export const WEBHOOKS_GROUP = 'webhooks';

/** The group that notifies accounts on the page. */
export const NOTIFICATIONS_GROUP = 'notifications';

/** Consumer groups that events of the audit stream are kept for. */
export function auditGroups({ email, syslog }: NetworkSettings): string[] {
  return [
    'archive',
    WEBHOOKS_GROUP,
    NOTIFICATIONS_GROUP,
    ...(emailNotifies(email) ? ['email'] : []),
    ...(forwardsAudit(syslog) ? ['syslog'] : []),
  ];
}

/** Web logins and logouts; all other audit events are the other kind of notification. */
export function isLoginEvent(event: string): boolean {
  return /^(auth|oidc)\.(login|logout|callback)$/.test(event);
}

/** `a@b` or `Name <a@b>`, without characters that could end a header. */
export function isMailAddress(text: string): boolean {
  const [, bare = text] = /^[^\p{Cc}<>"]*<([^<>]*)>$/u.exec(text) ?? [];
  return (
    bare.length <= 320 && /^[^\s\p{Cc}<>@",;:\\()[\]]+@[^\s\p{Cc}<>@",;:\\()[\]]+$/u.test(bare)
  );
}

/** Without a scheme, the proxy is plain HTTP, as in other tools. */
export function isProxyUrl(text: string): boolean {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    return false;
  // Text after the host would be shown, although it may be part of a password.
  return ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '';
}
