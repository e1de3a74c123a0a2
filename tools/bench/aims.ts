/** The aims for speed: what the benchmarks mark, and the first table of docs/benchmarks.md. */

export interface Aim {
  work: string;
  /** What a ratio compares with; the fastest of them counts. */
  against: string;
  /** Whether the measured figure has to be at least or at most the bound. */
  sense: 'least' | 'most';
  bound: number;
  unit: string;
  /** Decimals; default: 2. */
  digits?: number;
  /** The command that measures it, where `npm run bench` does not. */
  by?: string;
}

const CLIENTS = 'crane, regctl, skopeo';
/** Ours is on the disk when it ends, theirs is not yet. */
const SYNCED = 'crane, regctl, skopeo, each with sync(1)';
const SYNC = 'skopeo sync';
const REGISTRY = 'distribution 3.1.2 alone';
const OLD_REGISTRY = 'distribution 2.8.2 alone';

const atLeast = (bound: number, work: string, against: string): Aim => ({
  work,
  against,
  sense: 'least',
  bound,
  unit: ' ×',
});
const atMost = (bound: number, unit: string, work: string): Aim => ({
  work,
  against: '–',
  sense: 'most',
  bound,
  unit,
});
const byMirror = (bound: number, unit: string, work: string): Aim => ({
  ...atMost(bound, unit, work),
  by: 'npm run bench mirror',
});
const CPU = ' ms of CPU';
const bySignatures = (aim: Aim): Aim => ({ digits: 1, ...aim, by: 'npm run bench signatures' });
const byVerdicts = (aim: Aim): Aim => ({ ...aim, by: 'npm run bench verdicts' });

export const AIMS = {
  pull420: atLeast(1, 'cold pull, 420 MB in 12 layers', CLIENTS),
  pull420Worker: atLeast(1, 'cold pull, 420 MB, by a running worker', CLIENTS),
  pull420Synced: atLeast(1, 'cold pull, 420 MB, by a running worker, until on the disk', SYNCED),
  pull420Tls: atLeast(1, 'cold pull, 420 MB, TLS', CLIENTS),
  pull420TlsWorker: atLeast(1, 'cold pull, 420 MB, TLS, by a running worker', CLIENTS),
  pull2150: atLeast(1, 'cold pull, 2.15 GB in 4 layers', CLIENTS),
  pull2150Worker: atLeast(1, 'cold pull, 2.15 GB, by a running worker', CLIENTS),
  pull2150Synced: atLeast(1, 'cold pull, 2.15 GB, by a running worker, until on the disk', SYNCED),
  pull2150Tls: atLeast(1, 'cold pull, 2.15 GB, TLS', CLIENTS),
  pull2150TlsWorker: atLeast(1, 'cold pull, 2.15 GB, TLS, by a running worker', CLIENTS),
  shared: atLeast(1, '20 images of 158 MB that share 80 %, cold', CLIENTS),
  sharedAgain: atLeast(1, '20 images again, all layers present', CLIENTS),
  sharedTls: atLeast(1, '20 images that share 80 %, cold, TLS', CLIENTS),
  sharedTlsAgain: atLeast(1, '20 images again, all layers present, TLS', CLIENTS),
  push420: atLeast(1, 'push to an empty registry, 420 MB', CLIENTS),
  push420Tls: atLeast(1, 'push to an empty registry, 420 MB, TLS', CLIENTS),
  staged420: atMost(0.3, ' s', 'push of a staged job to the local registry, 420 MB'),
  staged2150: atMost(0.3, ' s', 'push of a staged job to the local registry, 2.15 GB'),
  manifest: atLeast(1.5, 'GET of a manifest, 8 connections', REGISTRY),
  manifestOld: atLeast(1.5, 'GET of a manifest, 8 connections', OLD_REGISTRY),
  manifestP50: atLeast(1, 'the same, median latency', OLD_REGISTRY),
  blob: atLeast(1, 'GET of a blob of 512 MiB', REGISTRY),
  put: atLeast(0.8, 'upload of 256 MiB in one PUT', REGISTRY),
  patch: atLeast(0.8, 'upload of 256 MiB in one PATCH and an empty PUT', REGISTRY),
  family: atLeast(3, 'transfer of 40 images of 50 MiB that share 40', SYNC),
  local: atLeast(3, 'transfer of 200 images of 41 MiB that share 40, built-in registry', SYNC),
  alike: atLeast(3, 'transfer of 200 of them, another registry', SYNC),
  far: atLeast(3, 'transfer of 100 of them, another registry, 20 ms before each answer', SYNC),
  distinct: atLeast(1, 'transfer of 30 images of 20 MiB that share nothing', SYNC),
  signIn: {
    ...atMost(180, ' KiB', 'page: on the wire before the sign-in'),
    digits: 0,
    by: 'tests/web/measures/web-weight.night.test.ts',
  },
  jobList: {
    ...atMost(250, ' KiB', 'page: until the list of jobs is there'),
    digits: 0,
    by: 'tests/web/measures/web-weight.night.test.ts',
  },
  requests: {
    ...atMost(12, ' requests', 'page: requests before the sign-in'),
    digits: 0,
    by: 'tests/web/measures/web-weight.night.test.ts',
  },
  list: {
    ...atMost(100, ' ms', 'first page of a list of 10,000 rows, p50'),
    digits: 0,
    by: 'npm run bench lists',
  },
  pushClients: {
    ...atLeast(50, '200 clients that push into one repository', '–'),
    unit: ' images/s',
    digits: 1,
    by: 'npm run bench push-clients',
  },
  mirrorFirst: byMirror(1, ' ×', 'first pull of 100 MB through a mirror, ÷ crane, Trivy and crane'),
  mirrorKnown: byMirror(1.1, ' ×', 'GET of a manifest of a mirror, ÷ an ordinary folder'),
  mirrorCrowd: byMirror(1, ' times', 'a blob that 200 clients want is read from the upstream'),
  mirrorChecks: byMirror(1, ' requests', 'requests to the upstream to check a tag'),
  mirrorCheckCpu: byMirror(1, ' ms of CPU', 'check of a tag'),
  verdictNew: byVerdicts(atMost(1.2, ' ×', 'a verdict on a new base, ÷ trivy image --input')),
  verdictKnown: byVerdicts(atMost(0.5, ' ×', 'a verdict on a known base, ÷ trivy image --input')),
  verdictWorkers: byVerdicts(atLeast(1.6, 'verdicts by two workers', 'one worker')),
  admission: {
    ...atMost(50, ' ms', '200 reviews of pods at once, p99'),
    digits: 1,
    by: 'npm run bench admission',
  },
  auditEvent: {
    ...atMost(0.15, ' ms of CPU', 'audit event of a pull, all processes'),
    by: 'npm run bench audit-events',
  },
  signature: bySignatures(atMost(15, CPU, 'a signature of a workflow, read and verified')),
  keyless: bySignatures(atMost(15, CPU, 'the same, in a bundle 0.3 with an entry of a log')),
  keySignature: bySignatures(atMost(15, CPU, 'a signature of a key, read and verified')),
  manySignatures: {
    ...bySignatures(atMost(50, ' read', '10,000 signatures at one digest')),
    digits: 0,
  },
  signatureGate: {
    ...bySignatures(atMost(1.05, ' ×', 'pull of a manifest, p50, ÷ without signatures')),
    digits: 2,
  },
  statements: {
    ...atMost(60, ' s', '1,000 of 10,000 standings change, until all are stated'),
    digits: 1,
    by: 'npm run bench statements',
  },
} as const satisfies Record<string, Aim>;

export type AimId = keyof typeof AIMS;
export type Measured = Map<AimId, number>;

const round = (value: number, { digits = 2 }: Aim) => value.toFixed(digits);

/** What is printed decides: 0.996 is printed as 1.00 and reaches an aim of 1. */
function isMissed(aim: Aim, value: number): boolean {
  const shown = Number(round(value, aim));
  return !(aim.sense === 'least' ? shown >= aim.bound : shown <= aim.bound);
}

/** `0.86 × ⚠` */
export function marked(aim: Aim, value: number): string {
  return `${round(value, aim)}${aim.unit}${isMissed(aim, value) ? ' ⚠' : ''}`;
}

/** `≥ 1 ×` */
export function boundOf({ sense, bound, unit }: Aim): string {
  return `${sense === 'least' ? '≥' : '≤'} ${bound}${unit}`;
}

/** The table of all aims; what was not measured names its command instead. */
export function aimTable(measured: ReadonlyMap<AimId, number>): string {
  const rows = Object.entries<Aim>(AIMS).map(([id, aim]) => {
    const value = measured.get(id as AimId);
    const cell = value === undefined ? (aim.by ?? 'not in this run') : marked(aim, value);
    return [aim.work, aim.against, boundOf(aim), cell];
  });
  return table(['work', 'against', 'aim', 'measured'], rows);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), `|${'---|'.repeat(head.length)}\n`, ...rows.map(line)].join('');
}
