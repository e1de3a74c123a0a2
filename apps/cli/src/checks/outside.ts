/**
 * Checks that external services from the settings answer at all. The test buttons of the settings
 * page check more.
 */
import { connect } from 'node:net';
import {
  type NetworkSection,
  type NetworkSettings,
  networkKey,
  sectionInForce,
} from '@portcullis/domain';
import { loadSecretKeys, sealer } from '@portcullis/runtime';
import { type Surrounded, withStore } from '../connections.ts';
import { type DoctorCheck, type DoctorFinding, fail, ok, warn } from './finding.ts';

const TIMEOUT_MS = 5_000;

export const checkOidc: DoctorCheck = async (call) => {
  const found = await withStore(call, (store) => store.settings.find('oidc'));
  const stored: Record<string, unknown> =
    typeof found === 'object' && found !== null ? { ...found } : {};
  const issuer = typeof stored.issuer === 'string' ? stored.issuer : call.config.oidcIssuer;
  if (issuer === undefined || stored.enabled === false) return [];
  const about = 'identity provider';
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const status = await statusOf(url);
  if (status === 200) return [ok(about, `${issuer} answers`)];
  const wayIn =
    stored.oidcOnly === true
      ? ' Passwords are not accepted meanwhile: `portcullis disable-oidc-only` accepts them again.'
      : '';
  return [
    fail(
      about,
      `${url} does not answer (${status})`,
      `Check the issuer's address and certificate.${wayIn}`,
    ),
  ];
};

export const checkCollectors: DoctorCheck = async (call) => {
  const [email, syslog] = [await inForce(call, 'email'), await inForce(call, 'syslog')];
  return [
    ...(email.enabled ? [await answering('e-mail', email.host, email.port)] : []),
    ...(syslog.syslog_enabled ? [await collector(syslog)] : []),
  ];
};

function collector({
  syslog_host: host,
  syslog_port: port,
  syslog_protocol: protocol,
}: NetworkSettings['syslog']) {
  if (protocol !== 'udp') return answering('syslog', host, port);
  const message = `${host}:${port} is sent to over UDP, which does not report whether it arrives`;
  return warn('syslog', message, 'Use tcp or tcp+tls where events must not be lost.');
}

async function inForce<S extends NetworkSection>(
  call: Surrounded,
  section: S,
): Promise<NetworkSettings[S]> {
  const { secretKey, previousKey, dataDir, network: env } = call.config;
  const [key, ...others] = await loadSecretKeys({ secretKey, previousKey, dataDir });
  const stored = await withStore(call, (store) => store.settings.find(networkKey(section)));
  return sectionInForce(section, stored, { env, open: sealer(key, others).open }).settings;
}

async function answering(about: string, host: string | null, port: number): Promise<DoctorFinding> {
  const advice =
    'Check the address and the firewalls between; the test button of the settings page says more.';
  if (!host)
    return fail(about, 'it is switched on, but no host is named', 'Name one on the settings page.');
  return (await accepts(host, port))
    ? ok(about, `${host}:${port} answers`)
    : fail(about, `${host}:${port} does not answer`, advice);
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const done = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => done(true));
    socket.once('timeout', () => done(false));
    socket.once('error', () => done(false));
  });
}

async function statusOf(url: string): Promise<number | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error
      ? error.cause.message
      : String(error);
  }
}
