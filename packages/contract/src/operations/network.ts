/** Settings of proxy, syslog and e-mail. */
import {
  EMAIL_SECURITY,
  isMailAddress,
  isProxyUrl,
  SYSLOG_FRAMINGS,
  SYSLOG_PROTOCOLS,
  SYSLOG_RFCS,
} from '@portcullis/domain';
import { z } from 'zod';
import { rule } from '../field-faults.ts';
import type { Contract } from '../operation.ts';
import { Delivery } from '../outcomes/delivery.ts';
import { ABSOLUTE_PATH, isOneLine, MAIL_ADDRESS, ONE_LINE, PROXY_URL } from '../patterns.ts';

const Line = z
  .string()
  .min(1)
  .max(4_096)
  .refine(isOneLine, rule('NOT_ONE_LINE', 'One line of text is expected.'))
  .meta({ pattern: ONE_LINE });
const HOST = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:.]+$/;
const Host = z
  .string()
  .max(255)
  .refine((text) => HOST.test(text), rule('HOST_INVALID', 'A host name or address is expected.'))
  .meta({ pattern: HOST.source });
const Port = z.number().int().min(1).max(65_535);
const Path = z
  .string()
  .min(1)
  .max(4_096)
  .refine(
    (text) => new RegExp(ABSOLUTE_PATH).test(text),
    rule('PATH_NOT_ABSOLUTE', 'An absolute path is expected.'),
  )
  .meta({ pattern: ABSOLUTE_PATH });
const ProxyUrl = Line.refine(
  isProxyUrl,
  rule('PROXY_URL_INVALID', 'The URL of an http or https proxy is expected.'),
).meta({
  pattern: PROXY_URL,
  description:
    'Without a scheme, plain HTTP is used. Host names and passwords in other scripts are accepted.',
});
const MailAddress = z
  .string()
  .refine(
    isMailAddress,
    rule('MAIL_ADDRESS_INVALID', 'An e-mail address, or Name <address>, is expected.'),
  )
  .meta({
    pattern: MAIL_ADDRESS,
    maxLength: 320,
    description: 'Addresses in other scripts are accepted.',
  });

/** The URLs may hold a user and password; the password is masked. */
export const ProxySettings = z.strictObject({
  http_proxy: ProxyUrl.nullable(),
  https_proxy: ProxyUrl.nullable(),
  no_proxy: Line.nullable(),
});

export const SyslogSettings = z.strictObject({
  syslog_enabled: z.boolean(),
  syslog_host: Host.nullable(),
  syslog_port: Port,
  syslog_protocol: z.enum(SYSLOG_PROTOCOLS),
  syslog_rfc: z.enum(SYSLOG_RFCS),
  /** Over `tcp` and `tcp+tls`: the length before each message, or a newline after it. */
  syslog_framing: z.enum(SYSLOG_FRAMINGS),
  syslog_forward_audit: z.boolean(),
  /** Forwards the logs of all processes. The name is part of the API. */
  syslog_forward_uvicorn: z.boolean(),
  syslog_tls_verify: z.boolean(),
  /** Paths on the hosts of api and notifier. */
  syslog_tls_ca_cert: Path.nullable(),
  /**
   * With `syslog_auth_enabled` over `tcp+tls`: a client certificate instead of a name and password.
   */
  syslog_tls_client_cert: Path.nullable(),
  syslog_tls_client_key: Path.nullable(),
  /** Without a client certificate, each message carries name and password as `auth@32473`. */
  syslog_auth_enabled: z.boolean(),
  syslog_auth_username: Line.nullable(),
  /** Masked. With a client certificate, the password of its key. */
  syslog_auth_password: Line.nullable(),
});

export const EmailSettings = z.strictObject({
  /** Enables all e-mail, including what is sent on demand. */
  enabled: z.boolean(),
  host: Host.nullable(),
  port: Port,
  security: z.enum(EMAIL_SECURITY),
  username: Line.nullable(),
  /** Masked. */
  password: Line.nullable(),
  from_address: MailAddress.nullable(),
  to_addresses: z.array(MailAddress).max(100),
  /** The name in EHLO; null: the host's, or the domain of the sender. */
  ehlo_name: Host.nullable(),
  /** Sends each web login and logout. */
  notify_login: z.boolean(),
  /** Sends every other audited operation. */
  notify_audit: z.boolean(),
  tls_verify: z.boolean(),
  /** A path on the hosts of api and notifier. */
  tls_ca_cert: Path.nullable(),
});

const SOURCE = { source: z.enum(['env', 'override']) };
export const ProxyConfig = z.strictObject({ ...ProxySettings.shape, ...SOURCE });
export const SyslogConfig = z.strictObject({ ...SyslogSettings.shape, ...SOURCE });
export const EmailConfig = z.strictObject({ ...EmailSettings.shape, ...SOURCE });

export const NetworkConfig = z.strictObject({
  proxy: ProxyConfig,
  syslog: SyslogConfig,
  email: EmailConfig,
});
export type NetworkConfig = z.infer<typeof NetworkConfig>;

/** A 502 has the same body. */
const delivery = (disabled: string) => ({
  success: { status: 200 as const, body: Delivery },
  faults: [
    { status: 409, codes: [disabled] },
    { status: 502, codes: [] },
  ],
});

/**
 * An absent field keeps the value in force, and so does a secret that is sent masked; null clears
 * the field.
 */
export const network = {
  config: {
    method: 'get',
    path: '/network/config',
    summary: 'The network settings in force: stored overrides take precedence over the environment',
    access: 'admin',
    success: { status: 200, body: NetworkConfig },
  },
  setProxy: {
    method: 'put',
    path: '/network/proxy',
    summary: 'Override the outbound proxy; takes effect at once in every process',
    access: 'admin',
    audit: 'network.proxy',
    body: ProxySettings.partial(),
    success: { status: 200, body: ProxyConfig },
  },
  resetProxy: {
    method: 'delete',
    path: '/network/proxy',
    summary: 'Remove the override of the proxy',
    access: 'admin',
    audit: 'network.proxy_reset',
    success: { status: 204 },
  },
  setSyslog: {
    method: 'put',
    path: '/network/syslog',
    summary: 'Override the forwarding to a syslog collector; takes effect at once',
    access: 'admin',
    audit: 'network.syslog',
    body: SyslogSettings.partial(),
    success: { status: 200, body: SyslogConfig },
  },
  resetSyslog: {
    method: 'delete',
    path: '/network/syslog',
    summary: 'Remove the override of syslog',
    access: 'admin',
    audit: 'network.syslog_reset',
    success: { status: 204 },
  },
  setEmail: {
    method: 'put',
    path: '/network/email',
    summary: 'Override the e-mail settings; takes effect at once',
    access: 'admin',
    audit: 'network.email',
    body: EmailSettings.partial(),
    success: { status: 200, body: EmailConfig },
  },
  resetEmail: {
    method: 'delete',
    path: '/network/email',
    summary: 'Remove the override of e-mail',
    access: 'admin',
    audit: 'network.email_reset',
    success: { status: 204 },
  },
  sendEmail: {
    method: 'post',
    path: '/network/email/send',
    summary: 'Send the recent audit events to all recipients, as a .jsonl attachment',
    access: 'admin',
    audit: 'network.email_send',
    ...delivery('EMAIL_DISABLED'),
  },
  testEmail: {
    method: 'post',
    path: '/network/email/test',
    summary: 'Send a test message to all recipients',
    access: 'admin',
    audit: 'network.email_test',
    ...delivery('EMAIL_DISABLED'),
  },
  testSyslog: {
    method: 'post',
    path: '/network/syslog/test',
    summary: 'Send one entry with the event syslog_test to the collector',
    access: 'admin',
    audit: 'network.syslog_test',
    ...delivery('SYSLOG_DISABLED'),
  },
} as const satisfies Contract;
