/** An audit event with awkward text, and the settings by which tests send it to a collector. */

import { lookup } from 'node:dns/promises';
import { DEFAULT_NETWORK, type SyslogSettings } from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import { PATIENCE_MS } from '@portcullis/testing';
import type { Resolve } from './resolve.ts';

export const EVENT: AuditEvent = {
  id: '7a1c2b9e-0000-4000-8000-000000000001',
  at: '2026-11-21T12:34:56.005Z',
  event: 'staging.push',
  outcome: 'denied',
  actor: { id: null, name: 'a"d]a\\\r\n<13>1 forged ü', auth: 'session' },
  action: 'POST /staging/push',
  resource: { kind: 'job', id: null, name: 'team/app', folder: 'team' },
  client_ip: '127.0.0.1',
  user_agent: null,
  method: 'POST',
  path: '/api/staging/push',
  status: 403,
  duration_ms: 3,
  request_id: 'r-1',
  detail: { text: 'line\nbreak ü' },
};

export const timeouts = { connectMs: PATIENCE_MS, answerMs: PATIENCE_MS };
export const hostname = 'gate-1.example.com';
export const resolve: Resolve = (host) => lookup(host, { all: true });

export function settingsFor(
  syslog: { port: number; caFile?: string },
  more: Partial<SyslogSettings>,
): SyslogSettings {
  return {
    ...DEFAULT_NETWORK.syslog,
    syslog_enabled: true,
    syslog_host: '127.0.0.1',
    syslog_port: syslog.port,
    syslog_tls_ca_cert: syslog.caFile ?? null,
    ...more,
  };
}
