/** Settings of proxy, syslog and e-mail from the environment. */
import { envReader, oneOf, parseBoolean, type Variables } from './env-reader.ts';
import {
  DEFAULT_NETWORK,
  EMAIL_SECURITY,
  type EmailSettings,
  isMailAddress,
  isProxyUrl,
  type NetworkSettings,
  type ProxySettings,
  SYSLOG_FRAMINGS,
  SYSLOG_PROTOCOLS,
  SYSLOG_RFCS,
  type SyslogSettings,
} from './network-settings.ts';

/** `HTTP_PROXY`…, `SYSLOG_*`, `EMAIL_*`. @throws invalid naming every wrong variable */
export function networkFromEnv(env: Variables): NetworkSettings {
  const reader = envReader(env);
  const settings = {
    proxy: proxyFromEnv(env, reader),
    syslog: syslogOf(reader),
    email: emailOf(reader),
  };
  reader.assertAll();
  return settings;
}

type Reader = ReturnType<typeof envReader>;

/** Tools read the lower-case names; people set both. */
function proxyFromEnv(env: Variables, { read }: Reader): ProxySettings {
  const named = (name: string) => (env[name] ? name : name.toLowerCase());
  const proxy = (name: string) => read(named(name), parse(isProxyUrl), null, 'the URL of a proxy');
  return {
    http_proxy: proxy('HTTP_PROXY'),
    https_proxy: proxy('HTTPS_PROXY'),
    no_proxy: read(named('NO_PROXY'), text, null, 'hosts'),
  };
}

function syslogOf(reader: Reader): SyslogSettings {
  const fallback = DEFAULT_NETWORK.syslog;
  const { read, flag, word, choice } = kindsOf(reader);
  return {
    syslog_enabled: flag('SYSLOG_ENABLED', fallback.syslog_enabled),
    syslog_host: word('SYSLOG_HOST'),
    syslog_port: read('SYSLOG_PORT', parsePort, fallback.syslog_port, 'a port'),
    syslog_protocol: choice('SYSLOG_PROTOCOL', SYSLOG_PROTOCOLS, fallback.syslog_protocol),
    syslog_rfc: choice('SYSLOG_RFC', SYSLOG_RFCS, fallback.syslog_rfc),
    syslog_framing: choice('SYSLOG_FRAMING', SYSLOG_FRAMINGS, fallback.syslog_framing),
    syslog_forward_audit: flag('SYSLOG_FORWARD_AUDIT', fallback.syslog_forward_audit),
    syslog_forward_uvicorn: flag('SYSLOG_FORWARD_UVICORN', fallback.syslog_forward_uvicorn),
    syslog_tls_verify: flag('SYSLOG_TLS_VERIFY', fallback.syslog_tls_verify),
    syslog_tls_ca_cert: word('SYSLOG_TLS_CA_CERT'),
    syslog_tls_client_cert: word('SYSLOG_TLS_CLIENT_CERT'),
    syslog_tls_client_key: word('SYSLOG_TLS_CLIENT_KEY'),
    syslog_auth_enabled: flag('SYSLOG_AUTH_ENABLED', fallback.syslog_auth_enabled),
    syslog_auth_username: word('SYSLOG_AUTH_USERNAME'),
    syslog_auth_password: word('SYSLOG_AUTH_PASSWORD'),
  };
}

function emailOf(reader: Reader): EmailSettings {
  const fallback = DEFAULT_NETWORK.email;
  const { read, flag, word, choice } = kindsOf(reader);
  return {
    enabled: flag('EMAIL_ENABLED', fallback.enabled),
    host: word('EMAIL_HOST'),
    port: read('EMAIL_PORT', parsePort, fallback.port, 'a port'),
    security: choice('EMAIL_SECURITY', EMAIL_SECURITY, fallback.security),
    username: word('EMAIL_USERNAME'),
    password: word('EMAIL_PASSWORD'),
    from_address: read('EMAIL_FROM_ADDRESS', parse(isMailAddress), null, 'an address'),
    to_addresses: read('EMAIL_TO_ADDRESSES', parseAddresses, fallback.to_addresses, 'addresses'),
    ehlo_name: word('EMAIL_EHLO_NAME'),
    notify_login: flag('EMAIL_NOTIFY_LOGIN', fallback.notify_login),
    notify_audit: flag('EMAIL_NOTIFY_AUDIT', fallback.notify_audit),
    tls_verify: flag('EMAIL_TLS_VERIFY', fallback.tls_verify),
    tls_ca_cert: word('EMAIL_TLS_CA_CERT'),
  };
}

function kindsOf({ read }: Reader) {
  return {
    read,
    flag: (name: string, fallback: boolean) => read(name, parseBoolean, fallback, 'true or false'),
    word: (name: string) => read(name, text, null, 'text'),
    choice: <T extends string>(name: string, words: readonly T[], fallback: T) =>
      read(name, oneOf(...words), fallback, words.join(', ')),
  };
}

function text(value: string): string | null {
  return value;
}

function parse(holds: (text: string) => boolean): (text: string) => string | null {
  return (value) => (holds(value) ? value : null);
}

function parsePort(value: string): number | null {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

function parseAddresses(value: string): string[] | null {
  const addresses = value
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return addresses.every(isMailAddress) ? addresses : null;
}
