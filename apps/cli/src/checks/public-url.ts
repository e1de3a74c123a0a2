/** Checks the public address as clients of images use it. */
import { clock, type DoctorCheck, type DoctorFinding, fail, ok, warn } from './finding.ts';
import { kindOf } from './registry.ts';

const ABOUT = 'public address';

export const checkPublicUrl: DoctorCheck = async ({ config, surroundings }) => {
  const { publicUrl } = config;
  if (publicUrl !== undefined) return checkAddress(publicUrl);
  if (surroundings.supervised === false) return [];
  const advice =
    'Set PUBLIC_URL to the address that people and clients use: links and logging in need it.';
  return [warn(ABOUT, 'PUBLIC_URL is not set', advice)];
};

async function checkAddress(url: string): Promise<DoctorFinding[]> {
  const from = Date.now();
  const answers = await Promise.all(['/api/health', '/v2/'].map((path) => ask(new URL(path, url))));
  const [health, v2] = answers;
  if (!health || typeof health === 'string')
    return [
      fail(
        ABOUT,
        `${url} can not be reached (${health})`,
        'Check DNS, the reverse proxy and its certificate.',
      ),
    ];
  if (health.status !== 200)
    return [
      fail(
        ABOUT,
        `${url}/api/health answers ${health.status}`,
        'The reverse proxy must pass everything on to the api.',
      ),
    ];
  const findings = [ok(ABOUT, `${url} is this api`), ...tls(url), ...images(v2)];
  const date = Date.parse(health.headers.get('date') ?? '');
  // The header has no fractions of a second.
  return Number.isNaN(date)
    ? findings
    : [...findings, ...clock(ABOUT, date + 500, { from, to: Date.now() })];
}

/** docker requests this first, and must be asked for credentials. */
function images(v2: Response | string | undefined): DoctorFinding[] {
  if (
    v2 &&
    typeof v2 !== 'string' &&
    [200, 401].includes(v2.status) &&
    v2.headers.has('docker-distribution-api-version')
  )
    return [];
  return [
    fail(
      ABOUT,
      '/v2/ does not answer as a registry',
      'The reverse proxy must pass /v2 on unaltered, and not buffer it.',
    ),
  ];
}

function tls(url: string): DoctorFinding[] {
  const { protocol, hostname } = new URL(url);
  const here =
    hostname === 'localhost' ||
    (/^(?:[\d.]+|\[.*\])$/.test(hostname) &&
      kindOf(hostname.replace(/^\[|\]$/g, '')) === 'loopback');
  if (protocol === 'https:' || here) return [];
  return [
    warn(
      ABOUT,
      'passwords and images go over it in the clear',
      'Put a reverse proxy with TLS before it.',
    ),
  ];
}

async function ask(url: URL): Promise<Response | string> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(5_000),
      headers: { connection: 'close' },
    });
    await response.body?.cancel();
    return response;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
